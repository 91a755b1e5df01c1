// Counts the items of one partition by their fate: how many are live, how many have expired, and how many will have at
// a given time or would have under another policy (docs/design/expiry.md). It reads cohorts, never items. Only items
// whose whole partition key was deleted are counted one by one, until they are removed
// (docs/design/partition-key-delete.md).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/status.h"
#include "engine/partition/erasure/erased_items.h"
#include "engine/partition/view/page_view.h"
#include "engine/partition/view/partition_state.h"
#include "engine/records/expiry/cohort.h"
#include "engine/records/expiry/forecast.h"
#include "engine/records/ids/count.h"
#include "engine/records/ids/ids.h"
#include "engine/records/partitions/partition_tally.h"
#include "store/shard.h"
#include "ttl/policy.h"

namespace lapse::engine {

// All answers are as of the view's moment. Threads: one at a time. Must not outlive the store. May read the disk: for a
// few milliseconds per year of steady writes, plus the time to walk the heads of deleted keys.
class PartitionCensus {
 public:
  PartitionCensus(const PartitionState& partition, PageView view)
      : id_(partition.id()), store_(partition.store()), view_(std::move(view)) {}

  int64_t now_ms() const { return view_.moment.now_ms(); }

  Result<Count> Live() const;
  // Expired and not yet purged.
  Result<Count> Expired() const { return Dead(Present()); }
  // Deleted with their whole partition key and not yet removed.
  Result<Count> Erased() const;
  // When the first expired item became invisible; nullopt: there is none.
  Result<std::optional<int64_t>> OldestExpiredMs() const;
  Result<Purged> PurgedSoFar() const;
  // Live items that will have expired by then if nothing is written or changed.
  Result<Count> ExpiringUntil(int64_t then_ms) const;
  // When the next live item expires if nothing is written or changed; nullopt: none ever will.
  Result<std::optional<int64_t>> NextExpiryMs() const;
  // Live items by the time they will expire if nothing is written or changed. Steps begin in the second of `from_ms`,
  // which is not after the moment.
  Result<Forecast> ForecastBy(const ForecastSteps& steps, int64_t from_ms) const;

  // What would happen if this became the default now (see ttl::Policy): the live items that would expire at once; those
  // that would live on with another deadline, their first one, or none; and when the surviving items would expire.
  Result<Count> ExpiringUnder(std::optional<int32_t> default_ttl) const;
  Result<Count> ChangingUnder(std::optional<int32_t> default_ttl) const;
  Result<Forecast> ForecastUnder(std::optional<int32_t> default_ttl, const ForecastSteps& steps, int64_t from_ms) const;

 private:
  // The inputs that decide whether a cohort is dead.
  struct Rules {
    ttl::Policy policy;
    ttl::Floors dead;
    int64_t now_ms = 0;
  };
  // The rules under which cohorts are counted.
  static constexpr ttl::RuleId kRules[] = {ttl::kInheritRule, ttl::kOwnRule};

  Rules Present() const { return {view_.moment.state().policy, view_.moment.dead(), now_ms()}; }
  // The rules after a change to this default.
  Result<Rules> After(std::optional<int32_t> default_ttl) const;
  Result<Count> Dead(const Rules& rules) const;
  Result<Count> DeadOfRule(ttl::RuleId rule, const Rules& rules) const;
  static bool IsDead(const CohortId& second, const Rules& rules);
  Result<const ErasedItems*> ErasedNow() const;
  using Visit = std::function<Result<bool>(const CohortId& cohort, const Count& count)>;
  static constexpr int64_t kFirstBase = std::numeric_limits<int64_t>::min();
  static constexpr int64_t kLastBase = std::numeric_limits<int64_t>::max() - 1;  // Walk adds one
  // Calls `visit` for cohorts of one level in the order of their base until it returns false.
  Status Walk(CohortLevel level, ttl::RuleId rule, int64_t first_base, int64_t last_base, const Visit& visit) const;
  Result<PartitionTally> Tally() const;
  class Slots;
  Result<Forecast> MakeForecast(const ForecastSteps& steps, int64_t from_ms, const Rules& rules) const;
  // Adds the items of a rule to their slots, cohort by cohort.
  Status CountBySlot(ttl::RuleId rule, const Rules& rules, const Slots& slots, std::vector<Count>* counts) const;
  static size_t SlotOf(ttl::RuleId rule, int64_t second, Sequence sequence, const Rules& rules, const Slots& slots);
  Result<Count> LivingOfRule(ttl::RuleId rule, const Rules& rules) const;
  // Lowers `next_ms` to the first deadline of a live item of this rule.
  Status FindNextExpiry(ttl::RuleId rule, const Rules& rules, const ErasedItems& erased,
                        std::optional<int64_t>* next_ms) const;

  const PartitionId id_;
  store::Shard* const store_;
  const PageView view_;
  // Erased items, which the counts include and must not. Loaded on first use.
  mutable std::optional<ErasedItems> erased_ = {};
};

}  // namespace lapse::engine
