// One partition as its readers see it, as published by commits, sweeps and policy changes.
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

// The inputs that decide, besides the container's policy, whether items of a partition are dead.
struct PartitionFloors {
  PartitionPolicy policy;  // as the store has it
  uint64_t revision = 1;   // revision of the container's policy for which they are published
  ttl::Floors purged;      // items under them are dead at any time

  // Returns true if the record of the latest policy is not known to be stored. Until it is, the state of the
  // partition's items is unknown.
  bool behind() const { return policy.revision != revision; }
};

// The stored state of a partition when it is opened.
struct PartitionStart {
  PartitionTally tally;
  PartitionPolicy policy;
  uint64_t policy_revision = 1;  // of the container
  ttl::Floors released_bodies;
};

// Threads: any may read; one at a time may publish, with the container's gate passed or closed.
class PartitionState {
 public:
  // `store` holds all data of the partition. The targets of the pointers must outlive the object.
  PartitionState(PartitionFacts facts, store::Shard* store, const PartitionStart& start, KnownListsMemory* known_lists,
                 const SteadyClock* steady);
  PartitionState(const PartitionState&) = delete;
  PartitionState& operator=(const PartitionState&) = delete;

  const PartitionFacts& facts() const { return facts_; }
  PartitionId id() const { return facts_.id; }
  PartitionNumber number() const { return facts_.id.number; }
  const EpkRange& range() const { return facts_.range; }
  store::Shard* store() const { return store_; }

  // The newest write that a reader may have seen, and the last change of that write.
  Lsn last_lsn() const { return last_lsn_.load(std::memory_order_acquire); }
  Sequence last_sequence() const { return last_sequence_.load(std::memory_order_acquire); }
  PartitionTally tally() const;
  int64_t stored_bytes() const { return stored_bytes_.load(std::memory_order_relaxed); }
  // Read them after the container's state. If they belong to another revision of its policy, read both again.
  std::shared_ptr<const PartitionFloors> floors() const { return floors_.load(std::memory_order_acquire); }
  // The deleted partition keys, for readers of single items.
  const ShownErasures& shown_erasures() const { return shown_erasures_; }
  // Holds time still for readers during a commit.
  const SecondHold& second_hold() const { return second_hold_; }
  // Knowledge about the partition's index outside the store, for queries.
  IndexMemory* index_memory() const { return &index_memory_; }
  ScansTogether* scans() const { return &scans_; }

  // --- For writers.
  SecondHold* mutable_second_hold() { return &second_hold_; }
  ShownErasures* mutable_shown_erasures() { return &shown_erasures_; }
  // Publishes a tally that is certainly stored.
  void PublishTally(const PartitionTally& tally);
  // To be called before the container's state with this revision of the policy is published.
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
