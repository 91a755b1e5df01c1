// Counts a container's items by what becomes of them, from cohorts and never from items: how many live, how many have
// expired, how many will have at a given time or would have under another policy (docs/design/expiry.md). Only items
// whose whole partition key was deleted are counted one by one, until they are removed
// (docs/design/partition-key-delete.md).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "base/status.h"
#include "engine/partition/erasure/erased_items.h"
#include "engine/partition/view/page_view.h"
#include "engine/records/expiry/cohort.h"
#include "engine/records/expiry/forecast.h"
#include "engine/records/ids/count.h"
#include "engine/records/ids/ids.h"
#include "engine/records/partition_key/partition_key.h"
#include "engine/records/tally/partition_tally.h"
#include "engine/shard/partitions/commit_parts.h"
#include "store/shard.h"
#include "ttl/policy.h"

namespace lapse::engine {

class Container;

// All answers are for one moment of the container. Threads: one at a time. Must not outlive the shard. May read the
// disk: a few milliseconds for a year of steady writes, and as long as it takes to walk the heads of deleted keys.
class Census {
 public:
  // Of the partitions that the scope touches.
  Census(const Container& container, const CommitParts& parts, const KeyScope& scope = {});

  int64_t now_ms() const { return now_ms_; }

  Result<Count> Live() const;
  // Expired and not yet purged.
  Result<Count> Expired() const;
  // Deleted with their whole partition key and not yet removed.
  Result<Count> Erased() const;
  // When the first of them became invisible; nullopt: there is none.
  Result<std::optional<int64_t>> OldestExpiredMs() const;
  // Over all partitions.
  Result<Purged> PurgedSoFar() const;
  // Live items that will have expired by then if nothing is written or changed.
  Result<Count> ExpiringUntil(int64_t then_ms) const;
  // When the next live item expires if nothing is written or changed; nullopt: none ever will.
  Result<std::optional<int64_t>> NextExpiryMs() const;
  // Live items by when they will expire if nothing is written or changed.
  Result<Forecast> ForecastBy(const ForecastSteps& steps) const;

  // What would be if this became the default now (see ttl::Policy): live items that would expire at once, those that
  // would live on with another deadline, a first one or none, and when those that live on would expire.
  Result<Count> ExpiringUnder(std::optional<int32_t> default_ttl) const;
  Result<Count> ChangingUnder(std::optional<int32_t> default_ttl) const;
  Result<Forecast> ForecastUnder(std::optional<int32_t> default_ttl, const ForecastSteps& steps) const;

 private:
  // A partition at the moment of the census.
  struct Part {
    PartitionId id;
    ReadMoment moment;
    // What is counted with the items and must not be: filled in when it is first asked for.
    mutable std::optional<ErasedItems> erased = {};
  };
  // What decides in a partition whether a cohort is dead.
  struct Rules {
    ttl::Policy policy;
    ttl::Floors dead;
    int64_t now_ms = 0;
  };
  using RulesOf = std::function<Result<Rules>(const Part& part)>;
  // The rules that cohorts are counted by.
  static constexpr ttl::RuleId kRules[] = {ttl::kInheritRule, ttl::kOwnRule};

  static Rules Present(const Part& part) {
    return {part.moment.state().policy, part.moment.dead(), part.moment.now_ms()};
  }
  // After a change to this default.
  Result<Rules> After(std::optional<int32_t> default_ttl, const Part& part) const;
  Result<Count> Dead(const RulesOf& rules_of) const;
  Result<Count> DeadOfRule(PartitionId partition, ttl::RuleId rule, const Rules& rules) const;
  static bool IsDead(const CohortId& second, const Rules& rules);
  Result<const ErasedItems*> ErasedIn(const Part& part) const;
  using Visit = std::function<Result<bool>(const CohortId& cohort, const Count& count)>;
  static constexpr int64_t kFirstBase = std::numeric_limits<int64_t>::min();
  static constexpr int64_t kLastBase = std::numeric_limits<int64_t>::max() - 1;  // Walk adds one
  // Calls `visit` for cohorts of one level in the order of their base, while it answers true.
  Status Walk(PartitionId partition, CohortLevel level, ttl::RuleId rule, int64_t first_base, int64_t last_base,
              const Visit& visit) const;
  Result<PartitionTally> TallyOf(PartitionId partition) const;
  Result<Forecast> MakeForecast(const ForecastSteps& steps, const RulesOf& rules_of) const;
  Result<Count> LivingOfRule(const Part& part, ttl::RuleId rule, const Rules& rules) const;

  store::Shard* const shard_;
  int64_t now_ms_;
  std::vector<Part> parts_;
  std::shared_ptr<const store::Snapshot> snapshot_;
};

}  // namespace lapse::engine
