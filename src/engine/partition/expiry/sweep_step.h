// Purges the first dead cohorts of a partition, serialized with its commits (docs/design/expiry.md).
//
// The items themselves are not touched. The cohort's count is removed, and the partition's purged floor rises above it.
// From then on its items are dead to every reader, and compaction may drop them. If changes are kept, one log record
// stands for the whole cohort and holds its bodies until the log is trimmed.
//
// While there are deleted partition keys, a step removes their items instead (docs/design/partition-key-delete.md): a
// cohort does not tell which of its items were deleted before they expired.
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

// The progress of a partition's sweeps, which lets the next sweep skip purged cohorts. A restarted server begins at the
// front: only while it runs is it certain that no cohort appears behind the position.
struct SweepPosition {
  int64_t inherit_base = std::numeric_limits<int64_t>::min();
  int64_t own_base = std::numeric_limits<int64_t>::min();
  ErasurePosition erasure;

  int64_t& Of(ttl::RuleId rule) { return rule == ttl::kInheritRule ? inherit_base : own_base; }
};

struct SweepOptions {
  size_t batch_bytes_max = 0;    // for a step that removes erased items
  bool clock_was_reset = false;  // at any time in the past: timestamps have recurred
};

// Threads: one; the partition's leader makes one per step.
class SweepStep {
 public:
  // `transaction` must not have begun.
  SweepStep(Transaction transaction, const SweepOptions& options);

  // See Transaction.
  void Begin(ReadMoment moment, PartitionTally tally);
  // Returns the partition's tally after the step, which is durable in every durability mode, and advances `position`.
  // After an error it is unknown what was written.
  Result<PartitionTally> Commit(const SweepLimit& limit, SweepPosition* position);
  const SweepOutcome& outcome() const { return outcome_; }
  // Returns true if the step wrote something.
  bool changed() const { return outcome_.log_trimmed || !transaction_.empty(); }
  // Bytes of the documents that the step deleted.
  uint64_t replaced_bytes() const { return transaction_.replaced_bytes(); }
  // See Transaction.
  void NoteGrowth(KeySizes* key_sizes) const { transaction_.NoteGrowth(key_sizes); }

 private:
  enum class Go : uint8_t { kOn, kStop };

  Status Erase(ErasurePosition* position);
  Status SweepRule(ttl::RuleId rule, int64_t* position);
  Result<Go> SweepCohort(const CohortId& cohort, const Count& count);
  Result<Go> SweepPartOfQueue(const CohortId& cohort);
  // Purges the items of the cohort up to `last`.
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
  // All bodies of inheriting items with a lower sequence are purged. 0: unknown.
  Sequence bodies_dead_below_ = 0;
  bool logged_ = false;  // an expiry was logged
};

}  // namespace lapse::engine
