#include "engine/expiry/census.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/items/keys.h"
#include "ttl/saturating.h"

namespace lapse::engine {
namespace {

constexpr ttl::RuleId kRules[] = {ttl::kInheritRule, ttl::kOwnRule};
constexpr int64_t kFirstBase = std::numeric_limits<int64_t>::min();

}  // namespace

Census::Census(ContainerId container, std::vector<uint32_t> streams, std::shared_ptr<const ContainerState> state,
               uint64_t last_lsn, int64_t now_ms, store::Shard* shard)
    : container_(container),
      streams_(std::move(streams)),
      state_(std::move(state)),
      last_lsn_(last_lsn),
      now_ms_(now_ms),
      shard_(shard),
      snapshot_(shard->NewSnapshot()) {}

Result<Count> Census::Live() const {
  Count live;
  for (uint32_t stream : streams_) {
    LAPSE_ASSIGN_OR_RETURN(PartitionTally tally, TallyOf(stream));
    live += tally.stored;
  }
  LAPSE_ASSIGN_OR_RETURN(Count expired, Expired());
  return live - expired;
}

Result<Count> Census::Expired() const {
  return Dead(Present(), now_ms_);
}

Result<Purged> Census::PurgedSoFar() const {
  Purged sum;
  for (uint32_t stream : streams_) {
    LAPSE_ASSIGN_OR_RETURN(PartitionTally tally, TallyOf(stream));
    sum.total += tally.purged.total;
    sum.milli_ru += tally.purged.milli_ru;
    for (const ttl::Floors::Entry& entry : tally.purged.floors.entries()) sum.floors.Raise(entry.rule, entry.floor);
  }
  return sum;
}

Result<Count> Census::ExpiringUntil(int64_t then_ms) const {
  LAPSE_ASSIGN_OR_RETURN(Count then, Dead(Present(), then_ms));
  LAPSE_ASSIGN_OR_RETURN(Count now, Expired());
  return then - now;
}

Result<Count> Census::ExpiringUnder(std::optional<int32_t> default_ttl) const {
  Rules after = Present();
  after.policy.default_ttl = default_ttl;
  // What is dead already stays so, as it would after the change.
  ttl::RaiseForChange(state_->policy, after.policy, now_ms_, last_lsn_, &after.dead);
  LAPSE_ASSIGN_OR_RETURN(Count then, Dead(after, now_ms_));
  LAPSE_ASSIGN_OR_RETURN(Count now, Expired());
  return then - now;
}

Result<Count> Census::Dead(const Rules& rules, int64_t now_ms) const {
  Count dead;
  for (uint32_t stream : streams_) {
    for (ttl::RuleId rule : kRules) {
      LAPSE_ASSIGN_OR_RETURN(Count of_rule, DeadOfRule(stream, rule, rules, now_ms));
      dead += of_rule;
    }
  }
  return dead;
}

// Whole spans where all of a span is dead, seconds only where the dead end within one.
Result<Count> Census::DeadOfRule(uint32_t stream, ttl::RuleId rule, const Rules& rules, int64_t now_ms) const {
  Count dead;
  const auto last_dead_ms = ttl::LastDeadBaseMs(rule, rules.policy, rules.dead, now_ms);
  if (!last_dead_ms.has_value()) return dead;
  auto is_dead = [&](int64_t second, uint64_t lsn) {
    return ttl::IsDead(rule, ttl::SaturatingSecondsToMs(second), lsn, rules.policy, rules.dead, now_ms);
  };
  auto take_span = [&](const CohortId& span, const Count& in_span) -> Result<bool> {
    if (is_dead(span.last_second(), span.first_lsn())) {
      dead += in_span;
      return true;
    }
    if (!is_dead(span.first_second(), span.first_lsn())) return true;
    auto take_second = [&](const CohortId& second, const Count& in_second) {
      const bool of_span = second.first_lsn() >= span.first_lsn() && second.first_lsn() <= span.last_lsn();
      if (of_span && is_dead(second.base, second.first_lsn())) dead += in_second;
      return true;
    };
    LAPSE_RETURN_IF_ERROR(
        Walk(stream, CohortLevel::kSecond, rule, span.first_second(), span.last_second(), take_second));
    return true;
  };
  const int64_t last_dead_span = *last_dead_ms / ttl::kMsPerSecond >> kSpanBits;
  LAPSE_RETURN_IF_ERROR(Walk(stream, CohortLevel::kSpan, rule, kFirstBase, last_dead_span, take_span));
  return dead;
}

// The first dead cohort of each rule. (After a reset of the clock, and while a cohort lives that was written before it,
// another one may have died earlier.)
Result<std::optional<int64_t>> Census::OldestExpiredMs() const {
  std::optional<int64_t> oldest_ms;
  for (uint32_t stream : streams_) {
    for (ttl::RuleId rule : kRules) {
      auto take_first_dead = [&](const CohortId& second, const Count&) {
        const int64_t base_ms = ttl::SaturatingSecondsToMs(second.base);
        if (!ttl::IsDead(rule, base_ms, second.first_lsn(), state_->policy, state_->dead, now_ms_)) return true;
        const int64_t died_ms = state_->history.DiedAtMs(rule, base_ms, now_ms_).value_or(now_ms_);
        oldest_ms = std::min(oldest_ms.value_or(died_ms), died_ms);
        return false;
      };
      const auto last_dead_ms = ttl::LastDeadBaseMs(rule, state_->policy, state_->dead, now_ms_);
      if (!last_dead_ms.has_value()) continue;
      LAPSE_RETURN_IF_ERROR(
          Walk(stream, CohortLevel::kSecond, rule, kFirstBase, *last_dead_ms / ttl::kMsPerSecond, take_first_dead));
    }
  }
  return oldest_ms;
}

Status Census::Walk(uint32_t stream, CohortLevel level, ttl::RuleId rule, int64_t first_base, int64_t last_base,
                    const Visit& visit) const {
  store::IterateOptions bounds;
  bounds.lower = CohortBound(container_, stream, level, rule, first_base);
  bounds.upper = CohortBound(container_, stream, level, rule, last_base + 1);
  bounds.snapshot = snapshot_.get();
  std::unique_ptr<store::Iterator> cohorts = shard_->NewIterator(kCohortFamily, bounds);
  for (cohorts->SeekToFirst(); cohorts->Valid(); cohorts->Next()) {
    LAPSE_ASSIGN_OR_RETURN(CohortId cohort, DecodeCohortKey(cohorts->key()));
    LAPSE_ASSIGN_OR_RETURN(Count count, DecodeCount(cohorts->value()));
    LAPSE_ASSIGN_OR_RETURN(bool go_on, visit(cohort, count));
    if (!go_on) break;
  }
  return cohorts->status();
}

Result<PartitionTally> Census::TallyOf(uint32_t stream) const {
  return LoadTallyAt(*snapshot_, shard_, container_, stream);
}

}  // namespace lapse::engine
