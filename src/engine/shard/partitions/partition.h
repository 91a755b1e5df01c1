// A partition at work: one range of effective partition keys of one container, with one commit order.
//
// Writes queue; a leader takes what is there, judges each against the state and those before it, and commits all as one
// batch with one sync. Readers never wait for writers.
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
  // Writes share a commit until they reach this: as they come, and as the commit has them, with what goes into a change
  // log. A larger one has a commit of its own.
  size_t group_bytes_max = 8 << 20;
  int64_t logical_partition_bytes_max = 0;  // of documents with one partition key; 0: no limit
  bool clock_was_reset = false;             // ever
};

// What a partition uses of its shard and of the engine. All must outlive it.
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
  // What its background work lives on.
  SpareUnits& spare_units() const { return *spare_units_; }

  void Write(PendingWrite write);
  // The same for many, of which none gets its turn before all are in the queue.
  void Write(std::vector<PendingWrite> writes);
  // Takes one step of purging in the commit order, before the writes that are waiting. One at a time.
  void QueueSweep(const SweepLimit& limit, SweepDone done);
  // The same for one step of an index build.
  void QueueIndexBuild(const IndexBuildLimit& limit, IndexBuildDone done);

  // Something has changed that the sweeper may have to act on. It looks soon, and says when it begins to.
  void AskForSweep();
  void SweeperLooks() { sweep_asked_.store(false); }

  // Only while no commit is under way: the tally with the last sequence number that was given out. Asks the store where
  // a commit is in doubt.
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
  // The moment of a commit that holds this second. The gate is passed.
  Result<ReadMoment> MomentOf(const HeldSecond& second) const;
  // Of keys that the group will write to, where one may come to the limit of its size. Returns whether any can.
  bool CountKeys(const WriteGroup& group);
  // The tally after the commit. An error means that nothing is known to have happened.
  Result<PartitionTally> Commit(WriteGroup* group, Transaction* transaction, bool keys_counted);
  Result<PartitionTally> Sweep(const SweepLimit& limit, SweepStep* step);
  Result<PartitionTally> BuildIndex(const IndexBuildLimit& limit, IndexBuildStep* step);
  std::optional<PendingSweep> TakeSweep();
  std::optional<PendingIndexBuild> TakeIndexBuild();
  std::vector<PendingWrite> TakeGroup();
  void PutBack(std::vector<PendingWrite> writes);
  // Returns whether more is waiting, which the next leader must take.
  bool Finish(const Result<PartitionTally>& committed);

  const std::shared_ptr<ContainerContext> container_;
  const std::shared_ptr<SpareUnits> spare_units_;
  const PartitionHome home_;
  std::atomic<bool> tally_suspect_{false};  // to be asked of the store; written by the leader alone
  SweepPosition sweep_position_;            // the leader's own
  KeySizes key_sizes_;                      // the leader's own
  std::atomic<bool> sweep_asked_{false};    // and the sweeper has not looked since

  mutable std::mutex mutex_;                      // never held across a disk access
  std::vector<PendingWrite> queue_;               // guarded by mutex_
  std::optional<PendingSweep> sweep_;             // guarded by mutex_
  std::optional<PendingIndexBuild> index_build_;  // guarded by mutex_
  bool leading_ = false;                          // guarded by mutex_: a leader is at work or about to be
};

}  // namespace lapse::engine
