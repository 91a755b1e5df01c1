// One range of effective partition keys of one container, with one commit order.
//
// Writes queue; a leader takes what is there, validates each against the state and those before it, and commits all as
// one batch with one sync. Readers never wait for writers.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/status.h"
#include "engine/catalog/container.h"
#include "engine/commit/partition_tally.h"
#include "engine/expiry/sweep.h"
#include "engine/expiry/sweep_step.h"
#include "engine/items/item.h"
#include "engine/partition_key/partition_key.h"
#include "engine/request_units/budget.h"
#include "ttl/policy.h"

namespace lapse::engine {

struct EngineParts;

struct PendingWrite {
  ItemWrite write;
  ItemWriteDone done;
};

struct PendingSweep {
  SweepLimit limit;
  SweepDone done;
};

// Threads: any. Owns: its queue of writes.
class Partition {
 public:
  Partition(Container* container, uint32_t stream, EpkRange range, const PartitionTally& tally, EngineParts* parts);
  ~Partition();

  // Never reused within a container; also the API's partition key range id.
  uint32_t stream() const { return stream_; }
  const EpkRange& range() const { return range_; }
  // The newest commit a reader of this partition may have seen.
  uint64_t last_lsn() const { return last_lsn_.load(std::memory_order_acquire); }
  // The same, also when it is not known whether the last commit counts: then the store is asked.
  Result<uint64_t> LastLsnForCertain() const;
  PartitionTally tally() const;
  // For readers: what is under these floors is dead, whatever the time they read at.
  std::shared_ptr<const ttl::Floors> purged_floors() const { return purged_floors_.load(std::memory_order_acquire); }

  // Its part of the container's throughput, or of the database's.
  Budget& budget() { return budget_; }

  void Write(ItemWrite write, ItemWriteDone done);
  // Takes one step of purging in the commit order, before the writes that are waiting. One at a time.
  void Sweep(const SweepLimit& limit, SweepDone done);

 private:
  void CallLeaderUnlessLed(std::unique_lock<std::mutex> lock);
  void CallLeader();
  // Commits one group, or takes one step of a sweep.
  void Lead();
  void LeadSweep(const PendingSweep& sweep);
  void LeadGroup();
  std::optional<PendingSweep> TakeSweep();
  std::vector<PendingWrite> TakeGroup();
  // What the next commit starts from; asks the store where a commit is in doubt.
  Result<PartitionTally> CertainTally() const;
  // Whether more is waiting, which the next leader must take.
  bool Finish(const Result<PartitionTally>& committed);

  Container* const container_;
  const uint32_t stream_;
  const EpkRange range_;
  EngineParts* const parts_;

  Budget budget_;
  std::atomic<uint64_t> last_lsn_;
  std::atomic<std::shared_ptr<const ttl::Floors>> purged_floors_;
  std::atomic<bool> tally_suspect_{false};  // to be asked of the store; written by the leader alone
  SweepPosition sweep_position_;            // the leader's own

  mutable std::mutex mutex_;
  std::vector<PendingWrite> queue_;    // guarded by mutex_
  std::optional<PendingSweep> sweep_;  // guarded by mutex_
  bool leading_ = false;               // guarded by mutex_: a leader is at work or about to be
  PartitionTally tally_;               // guarded by mutex_; written by the leader alone
};

}  // namespace lapse::engine
