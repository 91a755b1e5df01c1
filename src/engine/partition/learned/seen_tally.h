// Caches the partition's tally as the last page read it. Pages that see the same commits need not read it again.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "engine/records/partitions/partition_tally.h"

namespace lapse::engine {

// Threads: any; commits one at a time.
class SeenTally {
 public:
  using Tally = std::shared_ptr<const PartitionTally>;

  // Must live for as long as a batch is being written.
  class Commit {
   public:
    explicit Commit(SeenTally* seen) : seen_(seen) { seen_->begun_.fetch_add(1); }
    ~Commit() { seen_->ended_.store(seen_->begun_.load()); }
    Commit(const Commit&) = delete;
    Commit& operator=(const Commit&) = delete;

   private:
    SeenTally* const seen_;
  };

  // Returns the number of commits that have ended. A page calls it before it takes its snapshot.
  uint64_t Begin() const { return ended_.load(); }
  // Returns the tally at the snapshot of a page that began at `start`, or null if it is unknown.
  Tally Find(uint64_t start) const {
    std::shared_ptr<const Seen> seen = seen_.load(std::memory_order_acquire);
    if (seen == nullptr || seen->commits != start || !HasNoOther(start)) return nullptr;
    // Aliases the one control block: all threads contend for its counter, so it is incremented only once.
    const PartitionTally* const tally = &seen->tally;
    return Tally(std::move(seen), tally);
  }
  // Offers the tally that the page found in its snapshot.
  void Note(uint64_t start, const PartitionTally& tally) {
    if (!HasNoOther(start)) return;
    seen_.store(std::make_shared<const Seen>(Seen{start, tally}), std::memory_order_release);
  }

 private:
  struct Seen {
    uint64_t commits;
    PartitionTally tally;
  };

  // Returns true if a snapshot taken since `start` has exactly the commits that had ended by then.
  bool HasNoOther(uint64_t start) const { return begun_.load() == start; }

  std::atomic<uint64_t> begun_{0};
  std::atomic<uint64_t> ended_{0};
  std::atomic<std::shared_ptr<const Seen>> seen_;
};

}  // namespace lapse::engine
