// An open partition: one range of effective partition keys of one container, with one commit order.
//
// Writes queue. A leader takes the queued writes, judges each against the state and the writes before it, and commits
// all of them as one batch with one sync. Readers never wait for writers.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/status.h"
#include "engine/memory/item_cache.h"
#include "engine/memory/known_lists.h"
#include "engine/partition/commit/write_group.h"
#include "engine/partition/expiry/sweep.h"
#include "engine/partition/expiry/sweep_step.h"
#include "engine/partition/index/index_build.h"
#include "engine/partition/learned/key_sizes.h"
#include "engine/partition/transaction/transaction.h"
#include "engine/partition/view/partition_state.h"
#include "engine/records/partitions/partition_tally.h"
#include "engine/records/prices/spare_units.h"
#include "engine/shard/partitions/container_context.h"
#include "engine/shard/partitions/leaders.h"
#include "engine/shard/partitions/sweep_inbox.h"
#include "engine/shard/reclaim/dead_space.h"
#include "engine/time/store_clock.h"

namespace lapse::engine {

class IndexBuildStep;

struct CommitOptions {
  store::Durability durability = store::Durability::kSync;
  // Writes share a commit until their total size reaches this. Counts each write as it arrives and as it is committed,
  // including its part of a change log. A larger write has a commit of its own.
  size_t group_bytes_max = 8 << 20;
  int64_t logical_partition_bytes_max = 0;  // of documents with one partition key; 0: no limit
  bool clock_was_reset = false;             // at any time in the past
};

// The parts of the shard and of the engine that a partition uses. All must outlive it.
struct PartitionHome {
  store::Shard* store = nullptr;
  DeadSpace* dead_space = nullptr;
  SweepInbox* sweep_inbox = nullptr;
  Leaders* leaders = nullptr;
  StoreClock* clock = nullptr;
  const SteadyClock* steady = nullptr;
  ItemCache* cache = nullptr;
  KnownListsMemory* known_lists = nullptr;
  CommitOptions commit;
};

struct PendingSweep {
  SweepLimit limit;
  SweepDone done;
};

struct PendingIndexBuild {
  IndexBuildLimit limit;
  IndexBuildDone done;
};

// Threads: any. Owns: its queue of writes.
class Partition : public PartitionState, public std::enable_shared_from_this<Partition> {
 public:
  Partition(PartitionFacts facts, std::shared_ptr<ContainerContext> container, const PartitionStart& start,
            std::shared_ptr<SpareUnits> spare_units, const PartitionHome& home);
  ~Partition();

  const ContainerContext& container() const { return *container_; }
  // What the partition's background work may spend.
  SpareUnits& spare_units() const { return *spare_units_; }

  void Write(PendingWrite write);
  // Queues many writes at once: none is committed before all are queued.
  void Write(std::vector<PendingWrite> writes);
  // Takes one step of purging in the commit order, ahead of the waiting writes. One at a time.
  void QueueSweep(const SweepLimit& limit, SweepDone done);
  // Takes one step of an index build in the same way.
  void QueueIndexBuild(const IndexBuildLimit& limit, IndexBuildDone done);

  // Asks the sweeper to look at the partition, because a change may have given it work. The sweeper says when it
  // begins.
  void AskForSweep();
  void SweeperLooks() { sweep_asked_.store(false); }

  // The tally with the last sequence number that was assigned. Only while no commit is under way. Asks the store if a
  // commit is in doubt.
  Result<PartitionTally> CertainTally() const;

 private:
  void CallLeaderUnlessLed(std::unique_lock<std::mutex> lock);
  std::function<void()> Leader();
  // Commits one group, or takes one step of a sweep or of an index build.
  void Lead();
  void LeadSweep(const PendingSweep& sweep);
  void LeadIndexBuild(const PendingIndexBuild& build);
  void LeadGroup();
  Transaction NewTransaction() const;
  // The moment of a commit that holds this second. The caller has passed the gate.
  Result<ReadMoment> MomentOf(const HeldSecond& second) const;
  // Counts the sizes of the keys that the group writes to and that may reach the size limit. Returns whether any may.
  bool CountKeys(const WriteGroup& group);
  // Returns the tally after the commit. After an error the commit may or may not have happened.
  Result<PartitionTally> Commit(WriteGroup* group, Transaction* transaction, bool keys_counted);
  Result<PartitionTally> Sweep(const SweepLimit& limit, SweepStep* step);
  Result<PartitionTally> BuildIndex(const IndexBuildLimit& limit, IndexBuildStep* step);
  std::optional<PendingSweep> TakeSweep();
  std::optional<PendingIndexBuild> TakeIndexBuild();
  std::vector<PendingWrite> TakeGroup();
  void PutBack(std::vector<PendingWrite> writes);
  // Returns whether writes are waiting, which the next leader must take.
  bool Finish(const Result<PartitionTally>& committed);

  const std::shared_ptr<ContainerContext> container_;
  const std::shared_ptr<SpareUnits> spare_units_;
  const PartitionHome home_;
  std::atomic<bool> tally_suspect_{false};  // must be checked against the store; written by the leader alone
  SweepPosition sweep_position_;            // used by the leader alone
  KeySizes key_sizes_;                      // used by the leader alone
  std::atomic<bool> sweep_asked_{false};    // and the sweeper has not looked since

  mutable std::mutex mutex_;                      // never held across a disk access
  std::vector<PendingWrite> queue_;               // guarded by mutex_
  std::optional<PendingSweep> sweep_;             // guarded by mutex_
  std::optional<PendingIndexBuild> index_build_;  // guarded by mutex_
  bool leading_ = false;                          // guarded by mutex_: a leader is running or scheduled
};

}  // namespace lapse::engine
