// Purges the first dead cohorts of a partition, in its commit order (docs/design/expiry.md).
//
// Nothing of an item is touched: its cohort's count goes, the partition's purged floor rises over it, and with that it
// is dead to every reader and free to be dropped by compaction. Where changes are kept, one record in the log stands
// for all of a cohort, and holds their bodies until it is trimmed.
//
// While there are partition keys that were deleted, a step removes their items instead
// (docs/design/partition-key-delete.md): a cohort does not tell who of its items was deleted before it expired.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "base/status.h"
#include "engine/partition/erasure/erasure_step.h"
#include "engine/partition/expiry/sweep.h"
#include "engine/partition/transaction/transaction.h"
#include "engine/records/expiry/cohort.h"
#include "engine/records/ids/ids.h"
#include "engine/records/partitions/partition_tally.h"
#include "store/shard.h"

namespace lapse::engine {

// Where the sweeps of a partition have got to, so that the next one does not walk over what is gone. A server that
// starts begins at the front: only while it runs is it certain that no cohort comes behind.
struct SweepPosition {
  int64_t inherit_base = std::numeric_limits<int64_t>::min();
  int64_t own_base = std::numeric_limits<int64_t>::min();
  ErasurePosition erasure;

  int64_t& Of(ttl::RuleId rule) { return rule == ttl::kInheritRule ? inherit_base : own_base; }
};

struct SweepOptions {
  size_t batch_bytes_max = 0;    // of a step that removes erased items
  bool clock_was_reset = false;  // ever: times came a second time
};

// Threads: one; the partition's leader makes one per step.
class SweepStep {
 public:
  // The transaction has not begun.
  SweepStep(Transaction transaction, const SweepOptions& options);

  // See Transaction.
  void Begin(ReadMoment moment, PartitionTally tally);
  // The partition's tally after the step, which is durable in every durability mode. `position` moves on. An error
  // means that nothing is known to have happened.
  Result<PartitionTally> Commit(const SweepLimit& limit, SweepPosition* position);
  const SweepOutcome& outcome() const { return outcome_; }
  // Whether the step wrote something.
  bool changed() const { return outcome_.log_trimmed || !transaction_.empty(); }
  // Of documents that the step deleted.
  uint64_t replaced_bytes() const { return transaction_.replaced_bytes(); }
  // See Transaction.
  void NoteGrowth(KeySizes* key_sizes) const { transaction_.NoteGrowth(key_sizes); }

 private:
  enum class Go : uint8_t { kOn, kStop };

  Status Erase(ErasurePosition* position);
  Status SweepRule(ttl::RuleId rule, int64_t* position);
  Result<Go> SweepCohort(const CohortId& cohort, const Count& count);
  Result<Go> SweepPartOfQueue(const CohortId& cohort);
  // Of the cohort, up to this sequence.
  Status Purge(const CohortId& cohort, const Count& count, Sequence last);
  Status LogExpiries(const CohortId& cohort, Sequence last);
  std::unique_ptr<store::Iterator> QueueOf(const CohortId& cohort, Sequence last) const;
  Sequence FirstUnpurged(const CohortId& cohort) const;
  bool IsDead(const CohortId& cohort) const;
  void NoteDue(int64_t due_ms);
  Status ReleaseBodies();
  Status WriteBatch();

  PartitionId partition() const { return transaction_.partition(); }
  const ContainerState& state() const { return transaction_.state(); }
  PartitionTally& tally() { return transaction_.tally(); }
  const PartitionTally& tally() const { return transaction_.tally(); }

  const SweepOptions options_;
  Transaction transaction_;
  ttl::Floors purged_before_;
  SweepLimit left_;
  SweepOutcome outcome_;
  // Bodies of inheriting items with a lower sequence are all purged. 0: not known of any.
  Sequence bodies_dead_below_ = 0;
  bool logged_ = false;  // expiries
};

}  // namespace lapse::engine
