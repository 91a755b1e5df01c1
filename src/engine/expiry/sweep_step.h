// Purges the first dead cohorts of a partition, in its commit order (docs/design/expiry.md).
//
// Nothing of an item is touched: its cohort's count goes, the partition's purged floor rises over it, and with that it
// is dead to every reader and free to be dropped by compaction.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "base/status.h"
#include "engine/catalog/container.h"
#include "engine/changes/change_log_writer.h"
#include "engine/commit/partition_tally.h"
#include "engine/expiry/cohort.h"
#include "engine/expiry/cohort_ledger.h"
#include "engine/expiry/sweep.h"
#include "engine/items/records.h"
#include "store/shard.h"

namespace lapse::engine {

// Where the sweeps of a partition have got to, so that the next one does not walk over what is gone. A server that
// starts begins at the front: only while it runs is it certain that no cohort comes behind.
struct SweepPosition {
  int64_t inherit_base = std::numeric_limits<int64_t>::min();
  int64_t own_base = std::numeric_limits<int64_t>::min();

  int64_t& Of(ttl::RuleId rule) { return rule == ttl::kInheritRule ? inherit_base : own_base; }
};

// Threads: one; the partition's leader makes one per step.
class SweepStep {
 public:
  SweepStep(Container* container, uint32_t stream, EngineParts* parts);

  // The partition's tally before and after the step, which is durable in every durability mode. `position` moves on. An
  // error means that nothing is known to have happened.
  Result<PartitionTally> Commit(const SweepLimit& limit, PartitionTally tally, SweepPosition* position);
  const SweepOutcome& outcome() const { return outcome_; }

 private:
  enum class Go : uint8_t { kOn, kStop };

  Status SweepRule(ttl::RuleId rule, int64_t* position);
  Result<Go> SweepCohort(const CohortId& cohort, const Count& count);
  // What is known of an item that goes, as long as it is visited.
  struct Goner {
    ttl::Lifetime lifetime;
    int64_t document_bytes = 0;
    const BodyRecord* body = nullptr;  // where the walk came by it
  };
  using VisitGoner = std::function<Result<Go>(const Goner& goner)>;

  Result<Go> SweepItems(const CohortId& cohort);
  Status ForEachOfInherit(const CohortId& cohort, const VisitGoner& visit) const;
  Status ForEachOfOwn(const CohortId& cohort, const VisitGoner& visit) const;
  Status LogExpiry(const Goner& goner);
  void LogExpiryOf(const BodyRecord& body);
  uint64_t FirstUnpurgedLsn(const CohortId& cohort) const;
  // A change in the log, and when it may go.
  struct KeptChange {
    uint64_t lsn = 0;
    int64_t until_ms = 0;
  };
  Status TrimLog();
  Result<std::optional<KeptChange>> FirstChange(uint64_t from_lsn, store::Iterator* changes) const;
  int64_t RetentionMs() const;
  bool IsDead(const CohortId& cohort) const;
  void NoteDue(int64_t due_ms);
  void Purge(const CohortId& cohort, const Count& count);
  Status WriteBatch();

  Container* const container_;
  const uint32_t stream_;
  EngineParts* const parts_;

  SweepLimit left_;
  int64_t now_ms_ = 0;
  std::shared_ptr<const ContainerState> state_;
  PartitionTally tally_;
  CohortLedger ledger_;
  ChangeLogWriter log_;
  store::Batch batch_;
  SweepOutcome outcome_;
};

}  // namespace lapse::engine
