// One partition as its readers see it: what commits, sweeps and changes of the policy have published.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "engine/partition/learned/index_memory.h"
#include "engine/partition/view/scans_together.h"
#include "engine/partition/view/shown_erasures.h"
#include "engine/records/ids/ids.h"
#include "engine/records/partitions/partition_facts.h"
#include "engine/records/partitions/partition_policy.h"
#include "engine/records/partitions/partition_tally.h"
#include "engine/time/store_clock.h"
#include "store/shard.h"
#include "ttl/floors.h"

namespace lapse::engine {

// What decides, beside the policy, whether items of a partition are dead.
struct PartitionFloors {
  PartitionPolicy policy;  // as the store has it
  uint64_t revision = 1;   // of the container's policy that they are published for
  ttl::Floors purged;      // what is under them is dead, whatever the time

  // The store did not take the record of the latest policy, or nobody knows whether it did. Until that is made up for,
  // nothing can be said about the partition's items.
  bool behind() const { return policy.revision != revision; }
};

// What the store holds of a partition when it is opened.
struct PartitionStart {
  PartitionTally tally;
  PartitionPolicy policy;
  uint64_t policy_revision = 1;  // of the container
  ttl::Floors released_bodies;
};

// Threads: any may read; publishing: one at a time, with the container's gate passed or closed.
class PartitionState {
 public:
  // `store` holds everything of the partition. What is given by pointer must outlive it.
  PartitionState(PartitionFacts facts, store::Shard* store, const PartitionStart& start, KnownListsMemory* known_lists,
                 const SteadyClock* steady);
  PartitionState(const PartitionState&) = delete;
  PartitionState& operator=(const PartitionState&) = delete;

  const PartitionFacts& facts() const { return facts_; }
  PartitionId id() const { return facts_.id; }
  PartitionNumber number() const { return facts_.id.number; }
  const EpkRange& range() const { return facts_.range; }
  store::Shard* store() const { return store_; }

  // The newest write that a reader may have seen, and its last change.
  Lsn last_lsn() const { return last_lsn_.load(std::memory_order_acquire); }
  Sequence last_sequence() const { return last_sequence_.load(std::memory_order_acquire); }
  PartitionTally tally() const;
  int64_t stored_bytes() const { return stored_bytes_.load(std::memory_order_relaxed); }
  // Read them after the container's state, and take both again if they belong to another revision of its policy.
  std::shared_ptr<const PartitionFloors> floors() const { return floors_.load(std::memory_order_acquire); }
  // For readers of single items: which partition keys were deleted.
  const ShownErasures& shown_erasures() const { return shown_erasures_; }
  // Time stands still for readers while a commit is under way.
  const SecondHold& second_hold() const { return second_hold_; }
  // For queries: what is known of the partition's index beside the store.
  IndexMemory* index_memory() const { return &index_memory_; }
  ScansTogether* scans() const { return &scans_; }

  // --- For who writes.
  SecondHold* mutable_second_hold() { return &second_hold_; }
  ShownErasures* mutable_shown_erasures() { return &shown_erasures_; }
  // What the store holds for certain.
  void PublishTally(const PartitionTally& tally);
  // Before the container's state with this revision of the policy is published.
  void PublishPolicy(PartitionPolicy policy, uint64_t revision);

 private:
  const PartitionFacts facts_;
  store::Shard* const store_;
  SecondHold second_hold_;
  std::atomic<Lsn> last_lsn_;
  std::atomic<Sequence> last_sequence_;
  std::atomic<int64_t> stored_bytes_;
  std::atomic<std::shared_ptr<const PartitionFloors>> floors_;
  ShownErasures shown_erasures_;
  mutable IndexMemory index_memory_;
  mutable ScansTogether scans_;
  mutable std::mutex mutex_;  // never held across a disk access
  PartitionTally tally_;      // guarded by mutex_
};

}  // namespace lapse::engine
