// The tally of a partition as a page read it last. Pages that see the same commits need not read it again.
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

  // Around the write of a batch.
  class Commit {
   public:
    explicit Commit(SeenTally* seen) : seen_(seen) { seen_->begun_.fetch_add(1); }
    ~Commit() { seen_->ended_.store(seen_->begun_.load()); }
    Commit(const Commit&) = delete;
    Commit& operator=(const Commit&) = delete;

   private:
    SeenTally* const seen_;
  };

  // How many commits had ended when a page began: taken before its snapshot.
  uint64_t Begin() const { return ended_.load(); }
  // The tally of that page's snapshot. Null: it is not known.
  Tally Find(uint64_t start) const {
    std::shared_ptr<const Seen> seen = seen_.load(std::memory_order_acquire);
    if (seen == nullptr || seen->commits != start || !HasNoOther(start)) return nullptr;
    // Pages of all threads count on one counter: once is enough.
    const PartitionTally* const tally = &seen->tally;
    return Tally(std::move(seen), tally);
  }
  // What that page found in its snapshot.
  void Note(uint64_t start, const PartitionTally& tally) {
    if (!HasNoOther(start)) return;
    seen_.store(std::make_shared<const Seen>(Seen{start, tally}), std::memory_order_release);
  }

 private:
  struct Seen {
    uint64_t commits;
    PartitionTally tally;
  };

  // Whether a snapshot that was taken since then has the commits that had ended, and no other.
  bool HasNoOther(uint64_t start) const { return begun_.load() == start; }

  std::atomic<uint64_t> begun_{0};
  std::atomic<uint64_t> ended_{0};
  std::atomic<std::shared_ptr<const Seen>> seen_;
};

}  // namespace lapse::engine
