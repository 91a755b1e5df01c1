// The tally of a partition as a page read it last. Pages that see the same commits need not read it again.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "engine/commit/partition_tally.h"

namespace lapse::engine {

// Threads: any.
class SeenTally {
 public:
  using Tally = std::shared_ptr<const PartitionTally>;

  // As it was after so many commits and before the next one. Null: no page has read it then, or others did since.
  Tally After(uint64_t commits) const {
    const std::shared_ptr<const Seen> seen = seen_.load(std::memory_order_acquire);
    return seen != nullptr && seen->commits == commits ? seen->tally : nullptr;
  }
  void Note(uint64_t commits, Tally tally) {
    seen_.store(std::make_shared<const Seen>(Seen{commits, std::move(tally)}), std::memory_order_release);
  }

 private:
  struct Seen {
    uint64_t commits;
    Tally tally;
  };

  std::atomic<std::shared_ptr<const Seen>> seen_;
};

}  // namespace lapse::engine
