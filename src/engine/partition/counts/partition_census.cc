#include "engine/partition/counts/partition_census.h"

#include <algorithm>

#include "engine/partition/view/stored_tally.h"
#include "engine/records/ids/families.h"
#include "ttl/saturating.h"

namespace lapse::engine {

Result<Count> PartitionCensus::Live() const {
  LAPSE_ASSIGN_OR_RETURN(const PartitionTally tally, Tally());
  LAPSE_ASSIGN_OR_RETURN(const ErasedItems* erased, ErasedNow());
  LAPSE_ASSIGN_OR_RETURN(const Count expired, Expired());
  return tally.stored - erased->total() - expired;
}

Result<Count> PartitionCensus::Erased() const {
  LAPSE_ASSIGN_OR_RETURN(const ErasedItems* erased, ErasedNow());
  return erased->total();
}

// Items that an erasure covers, except those that had expired before it: these count as expired. (After a clock reset
// such an item may be live by its time, but it is gone all the same.)
Result<const ErasedItems*> PartitionCensus::ErasedNow() const {
  if (erased_.has_value()) return &*erased_;
  LAPSE_ASSIGN_OR_RETURN(const PartitionTally tally, Tally());
  ErasedItems erased;
  const Rules rules = Present();
  auto take = [&](const HeadRecord& head, const Erasure& erasure) {
    if (tally.purged.floors.Covers(head.lifetime)) return;
    const bool expired_before =
        erasure.FoundDead(head.lifetime) && ttl::IsDead(head.lifetime, rules.policy, rules.dead, {}, rules.now_ms);
    if (!expired_before) erased.Add(head);
  };
  LAPSE_RETURN_IF_ERROR(WalkErased(tally.erased, store_, *view_.snapshot, take));
  erased_ = std::move(erased);
  return &*erased_;
}

Result<Purged> PartitionCensus::PurgedSoFar() const {
  LAPSE_ASSIGN_OR_RETURN(PartitionTally tally, Tally());
  return std::move(tally.purged);
}

Result<Count> PartitionCensus::ExpiringUntil(int64_t then_ms) const {
  Rules rules = Present();
  rules.now_ms = then_ms;
  LAPSE_ASSIGN_OR_RETURN(const Count then, Dead(rules));
  LAPSE_ASSIGN_OR_RETURN(const Count now, Expired());
  return then - now;
}

Result<Count> PartitionCensus::ExpiringUnder(std::optional<int32_t> default_ttl) const {
  LAPSE_ASSIGN_OR_RETURN(const Rules after, After(default_ttl));
  LAPSE_ASSIGN_OR_RETURN(const Count then, Dead(after));
  LAPSE_ASSIGN_OR_RETURN(const Count now, Expired());
  return then - now;
}

Result<PartitionCensus::Rules> PartitionCensus::After(std::optional<int32_t> default_ttl) const {
  LAPSE_ASSIGN_OR_RETURN(const PartitionTally tally, Tally());
  Rules after = Present();
  after.policy.default_ttl = default_ttl;
  // Dead items stay dead, as they would after the change.
  ttl::RaiseForChange(view_.moment.state().policy, after.policy, after.now_ms, tally.last_sequence, &after.dead);
  return after;
}

Result<Count> PartitionCensus::Dead(const Rules& rules) const {
  Count dead;
  for (ttl::RuleId rule : kRules) {
    LAPSE_ASSIGN_OR_RETURN(const Count of_rule, DeadOfRule(rule, rules));
    dead += of_rule;
  }
  LAPSE_ASSIGN_OR_RETURN(const ErasedItems* erased, ErasedNow());
  erased->ForEach([&](const CohortId& second, const Count& count) {
    if (IsDead(second, rules)) dead -= count;
  });
  return dead;
}

bool PartitionCensus::IsDead(const CohortId& second, const Rules& rules) {
  return ttl::IsDead(second.rule, ttl::SaturatingSecondsToMs(second.base), second.first_sequence(), rules.policy,
                     rules.dead, rules.now_ms);
}

// Counts a span as a whole if all of it is dead, and by seconds if only a part is.
Result<Count> PartitionCensus::DeadOfRule(ttl::RuleId rule, const Rules& rules) const {
  Count dead;
  const auto last_dead_ms = ttl::LastDeadBaseMs(rule, rules.policy, rules.dead, rules.now_ms);
  if (!last_dead_ms.has_value()) return dead;
  auto is_dead = [&](int64_t second, Sequence sequence) {
    return ttl::IsDead(rule, ttl::SaturatingSecondsToMs(second), sequence, rules.policy, rules.dead, rules.now_ms);
  };
  auto take_span = [&](const CohortId& span, const Count& in_span) -> Result<bool> {
    if (is_dead(span.last_second(), span.first_sequence())) {
      dead += in_span;
      return true;
    }
    if (!is_dead(span.first_second(), span.first_sequence())) return true;
    auto take_second = [&](const CohortId& second, const Count& in_second) {
      if (second.IsWithin(span) && is_dead(second.base, second.first_sequence())) dead += in_second;
      return true;
    };
    LAPSE_RETURN_IF_ERROR(Walk(CohortLevel::kSecond, rule, span.first_second(), span.last_second(), take_second));
    return true;
  };
  const int64_t last_dead_span = *last_dead_ms / ttl::kMsPerSecond >> kSpanBits;
  LAPSE_RETURN_IF_ERROR(Walk(CohortLevel::kSpan, rule, kFirstBase, last_dead_span, take_span));
  return dead;
}

// Reads the first dead cohort of each rule. (After a clock reset, while a cohort from before it is live, another one
// may have died earlier.)
Result<std::optional<int64_t>> PartitionCensus::OldestExpiredMs() const {
  std::optional<int64_t> oldest_ms;
  const Rules rules = Present();
  LAPSE_ASSIGN_OR_RETURN(const ErasedItems* erased, ErasedNow());
  for (ttl::RuleId rule : kRules) {
    auto take_first_dead = [&](const CohortId& second, const Count& count) {
      if (!IsDead(second, rules) || count == erased->In(second)) return true;
      const int64_t base_ms = ttl::SaturatingSecondsToMs(second.base);
      const int64_t died_ms = view_.moment.state().DiedAtMs(rule, base_ms, now_ms());
      oldest_ms = std::min(oldest_ms.value_or(died_ms), died_ms);
      return false;
    };
    const auto last_dead_ms = ttl::LastDeadBaseMs(rule, rules.policy, rules.dead, rules.now_ms);
    if (!last_dead_ms.has_value()) continue;
    LAPSE_RETURN_IF_ERROR(
        Walk(CohortLevel::kSecond, rule, kFirstBase, *last_dead_ms / ttl::kMsPerSecond, take_first_dead));
  }
  return oldest_ms;
}

Status PartitionCensus::Walk(CohortLevel level, ttl::RuleId rule, int64_t first_base, int64_t last_base,
                             const Visit& visit) const {
  store::IterateOptions bounds;
  bounds.lower = CohortBound(id_, level, rule, first_base);
  bounds.upper = CohortBound(id_, level, rule, last_base + 1);
  bounds.snapshot = view_.snapshot.get();
  std::unique_ptr<store::Iterator> cohorts = store_->NewIterator(kCohortFamily, bounds);
  for (cohorts->SeekToFirst(); cohorts->Valid(); cohorts->Next()) {
    LAPSE_ASSIGN_OR_RETURN(CohortId cohort, DecodeCohortKey(cohorts->key()));
    LAPSE_ASSIGN_OR_RETURN(Count count, DecodeCount(cohorts->value()));
    LAPSE_ASSIGN_OR_RETURN(bool go_on, visit(cohort, count));
    if (!go_on) break;
  }
  return cohorts->status();
}

// Every answer reads the tally, so this is where an unknown state of the partition is reported.
Result<PartitionTally> PartitionCensus::Tally() const {
  LAPSE_RETURN_IF_ERROR(view_.moment.Check());
  return LoadTallyAt(*view_.snapshot, store_, id_);
}

}  // namespace lapse::engine
