// One range of effective partition keys of one container, with one commit order.
//
// Writes queue; a leader takes what is there, judges each against the state and those before it, and commits all as one
// batch with one sync. Readers never wait for writers.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/status.h"
#include "engine/catalog/throughput/budget.h"
#include "engine/partition/commit/write_group.h"
#include "engine/partition/expiry/sweep.h"
#include "engine/partition/expiry/sweep_step.h"
#include "engine/partition/index/index_build.h"
#include "engine/partition/learned/key_sizes.h"
#include "engine/partition/view/scans_together.h"
#include "engine/partition/view/shown_erasures.h"
#include "engine/records/ids/ids.h"
#include "engine/records/items/item_write.h"
#include "engine/records/partition_key/partition_key.h"
#include "engine/records/tally/partition_tally.h"
#include "engine/shard/partitions/commit_parts.h"
#include "engine/time/store_clock.h"
#include "ttl/policy.h"

namespace lapse::engine {

class Container;
class IndexBuildStep;
struct IndexMemory;

struct PendingSweep {
  SweepLimit limit;
  SweepDone done;
};

struct PendingIndexBuild {
  IndexBuildLimit limit;
  IndexBuildDone done;
};

// Threads: any. Owns: its queue of writes.
class Partition {
 public:
  Partition(Container* container, PartitionNumber number, EpkRange range, const PartitionTally& tally,
            const ttl::Floors& released_bodies, Budget budget, const CommitParts& parts);
  ~Partition();

  PartitionId id() const { return id_; }
  PartitionNumber number() const { return id_.number; }
  const EpkRange& range() const { return range_; }
  // The newest write that a reader of this partition may have seen.
  Lsn last_lsn() const { return last_lsn_.load(std::memory_order_acquire); }
  Sequence last_sequence() const { return last_sequence_.load(std::memory_order_acquire); }
  PartitionTally tally() const;
  // For readers: what is under these floors is dead, whatever the time they read at.
  std::shared_ptr<const ttl::Floors> purged_floors() const { return purged_floors_.load(std::memory_order_acquire); }
  // For readers of single items: which partition keys were deleted.
  const ShownErasures& shown_erasures() const { return shown_erasures_; }
  // Time stands still for readers of this partition while a commit is under way.
  const SecondHold& second_hold() const { return second_hold_; }

  // For queries: what it remembers of its index.
  IndexMemory* index_memory() const { return index_memory_.get(); }
  ScansTogether* scans() const { return &scans_; }

  // Its part of the container's throughput, or of the database's.
  Budget& budget() { return budget_; }

  void Write(PendingWrite write);
  // The same for many, of which none gets its turn before all are in the queue.
  void Write(std::vector<PendingWrite> writes);
  // Takes one step of purging in the commit order, before the writes that are waiting. One at a time.
  void QueueSweep(const SweepLimit& limit, SweepDone done);

  // The same for one step in the making of an index.
  void QueueIndexBuild(const IndexBuildLimit& limit, IndexBuildDone done);

  // Something has changed that the sweeper may have to act on. It looks soon, and says when it begins to.
  void AskForSweep();
  void SweeperLooks() { sweep_asked_.store(false); }

  // Only while no commit is under way: the tally with the last sequence number that was given out. Asks the store where
  // a commit is in doubt.
  Result<PartitionTally> CertainTally() const;

 private:
  void CallLeaderUnlessLed(std::unique_lock<std::mutex> lock);
  void CallLeader();
  std::function<void()> Leader();
  // Commits one group, or takes one step of a sweep or of the making of an index.
  void Lead();
  void LeadSweep(const PendingSweep& sweep);
  void LeadIndexBuild(const PendingIndexBuild& build);
  void LeadGroup();
  // Of keys that the group will write to, where one may come to the limit of its size. False: none can.
  bool CountKeys(const WriteGroup& group);
  // The tally after the commit. An error means that nothing is known to have happened.
  Result<PartitionTally> Commit(WriteGroup* group, Transaction* transaction, bool keys_counted);
  Result<PartitionTally> Sweep(const SweepLimit& limit, SweepStep* step);
  Result<PartitionTally> BuildIndex(const IndexBuildLimit& limit, IndexBuildStep* step);
  std::optional<PendingSweep> TakeSweep();
  std::optional<PendingIndexBuild> TakeIndexBuild();
  std::vector<PendingWrite> TakeGroup();
  void PutBack(std::vector<PendingWrite> writes);
  // Whether more is waiting, which the next leader must take.
  bool Finish(const Result<PartitionTally>& committed);

  Container* const container_;
  const PartitionId id_;
  const EpkRange range_;
  const CommitParts parts_;
  store::Shard* const shard_;

  Budget budget_;
  SecondHold second_hold_;
  std::atomic<Lsn> last_lsn_;
  std::atomic<Sequence> last_sequence_;
  std::atomic<std::shared_ptr<const ttl::Floors>> purged_floors_;
  ShownErasures shown_erasures_;
  const std::unique_ptr<IndexMemory> index_memory_;
  mutable ScansTogether scans_;
  std::atomic<bool> tally_suspect_{false};  // to be asked of the store; written by the leader alone
  SweepPosition sweep_position_;            // the leader's own
  KeySizes key_sizes_;                      // the leader's own
  std::atomic<bool> sweep_asked_{false};    // and the sweeper has not looked since

  mutable std::mutex mutex_;                      // never held across a disk access
  std::vector<PendingWrite> queue_;               // guarded by mutex_
  std::optional<PendingSweep> sweep_;             // guarded by mutex_
  std::optional<PendingIndexBuild> index_build_;  // guarded by mutex_
  bool leading_ = false;                          // guarded by mutex_: a leader is at work or about to be
  PartitionTally tally_;                          // guarded by mutex_; written by the leader alone
};

}  // namespace lapse::engine
