#include "engine/catalog/counts/census.h"

#include <algorithm>
#include <utility>

#include "engine/catalog/containers/container.h"
#include "engine/records/ids/families.h"
#include "engine/shard/partitions/partition.h"
#include "ttl/saturating.h"

namespace lapse::engine {

Census::Census(const Container& container, const CommitParts& parts, const KeyScope& scope)
    : shard_(parts.shards->OfContainer(container.id())), now_ms_(parts.clock->NowMs()) {
  std::vector<PageView> views = ViewsOf(container, parts);
  snapshot_ = views.front().snapshot;  // the partitions of a container are in one shard
  for (size_t i = 0; i < views.size(); ++i) {
    const Partition& partition = *container.partitions()[i];
    if (scope.Touches(partition.range())) parts_.push_back({partition.id(), std::move(views[i].moment)});
  }
  for (const Part& part : parts_) now_ms_ = std::min(now_ms_, part.moment.now_ms());
}

Result<Count> Census::Live() const {
  Count live;
  for (const Part& part : parts_) {
    LAPSE_ASSIGN_OR_RETURN(PartitionTally tally, TallyOf(part.id));
    LAPSE_ASSIGN_OR_RETURN(const ErasedItems* erased, ErasedIn(part));
    live += tally.stored - erased->total();
  }
  LAPSE_ASSIGN_OR_RETURN(Count expired, Expired());
  return live - expired;
}

Result<Count> Census::Expired() const {
  return Dead([](const Part& part) { return Present(part); });
}

Result<Count> Census::Erased() const {
  Count sum;
  for (const Part& part : parts_) {
    LAPSE_ASSIGN_OR_RETURN(const ErasedItems* erased, ErasedIn(part));
    sum += erased->total();
  }
  return sum;
}

// Items that an erasure covers, but for those that had expired before it and count as expired. (After a reset of the
// clock such an item may be alive by its time; it is gone all the same.)
Result<const ErasedItems*> Census::ErasedIn(const Part& part) const {
  if (part.erased.has_value()) return &*part.erased;
  LAPSE_ASSIGN_OR_RETURN(const PartitionTally tally, TallyOf(part.id));
  ErasedItems erased;
  const Rules rules = Present(part);
  auto take = [&](const HeadRecord& head, const Erasure& erasure) {
    if (tally.purged.floors.Covers(head.lifetime)) return;
    const bool expired_before =
        erasure.FoundDead(head.lifetime) && ttl::IsDead(head.lifetime, rules.policy, rules.dead, {}, rules.now_ms);
    if (!expired_before) erased.Add(head);
  };
  LAPSE_RETURN_IF_ERROR(WalkErased(tally.erased, shard_, *snapshot_, take));
  part.erased = std::move(erased);
  return &*part.erased;
}

Result<Purged> Census::PurgedSoFar() const {
  Purged sum;
  for (const Part& part : parts_) {
    LAPSE_ASSIGN_OR_RETURN(PartitionTally tally, TallyOf(part.id));
    sum.total += tally.purged.total;
    sum.milli_ru += tally.purged.milli_ru;
  }
  return sum;
}

Result<Count> Census::ExpiringUntil(int64_t then_ms) const {
  LAPSE_ASSIGN_OR_RETURN(Count then, Dead([&](const Part& part) {
                           Rules rules = Present(part);
                           rules.now_ms = then_ms;
                           return rules;
                         }));
  LAPSE_ASSIGN_OR_RETURN(Count now, Expired());
  return then - now;
}

Result<Count> Census::ExpiringUnder(std::optional<int32_t> default_ttl) const {
  LAPSE_ASSIGN_OR_RETURN(Count then, Dead([&](const Part& part) { return After(default_ttl, part); }));
  LAPSE_ASSIGN_OR_RETURN(Count now, Expired());
  return then - now;
}

Result<Census::Rules> Census::After(std::optional<int32_t> default_ttl, const Part& part) const {
  LAPSE_ASSIGN_OR_RETURN(const PartitionTally tally, TallyOf(part.id));
  Rules after = Present(part);
  after.policy.default_ttl = default_ttl;
  // What is dead already stays so, as it would after the change.
  ttl::RaiseForChange(part.moment.state().policy, after.policy, after.now_ms, tally.last_sequence, &after.dead);
  return after;
}

Result<Count> Census::Dead(const RulesOf& rules_of) const {
  Count dead;
  for (const Part& part : parts_) {
    LAPSE_ASSIGN_OR_RETURN(const Rules rules, rules_of(part));
    for (ttl::RuleId rule : kRules) {
      LAPSE_ASSIGN_OR_RETURN(Count of_rule, DeadOfRule(part.id, rule, rules));
      dead += of_rule;
    }
    LAPSE_ASSIGN_OR_RETURN(const ErasedItems* erased, ErasedIn(part));
    erased->ForEach([&](const CohortId& second, const Count& count) {
      if (IsDead(second, rules)) dead -= count;
    });
  }
  return dead;
}

bool Census::IsDead(const CohortId& second, const Rules& rules) {
  return ttl::IsDead(second.rule, ttl::SaturatingSecondsToMs(second.base), second.first_sequence(), rules.policy,
                     rules.dead, rules.now_ms);
}

// Whole spans where all of a span is dead, seconds only where the dead end within one.
Result<Count> Census::DeadOfRule(PartitionId partition, ttl::RuleId rule, const Rules& rules) const {
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
      const bool of_span =
          second.first_sequence() >= span.first_sequence() && second.first_sequence() <= span.last_sequence();
      if (of_span && is_dead(second.base, second.first_sequence())) dead += in_second;
      return true;
    };
    LAPSE_RETURN_IF_ERROR(
        Walk(partition, CohortLevel::kSecond, rule, span.first_second(), span.last_second(), take_second));
    return true;
  };
  const int64_t last_dead_span = *last_dead_ms / ttl::kMsPerSecond >> kSpanBits;
  LAPSE_RETURN_IF_ERROR(Walk(partition, CohortLevel::kSpan, rule, kFirstBase, last_dead_span, take_span));
  return dead;
}

// The first dead cohort of each rule. (After a reset of the clock, and while a cohort lives that was written before it,
// another one may have died earlier.)
Result<std::optional<int64_t>> Census::OldestExpiredMs() const {
  std::optional<int64_t> oldest_ms;
  for (const Part& part : parts_) {
    const ReadMoment& moment = part.moment;
    const ContainerState& state = moment.state();
    const int64_t now_ms = moment.now_ms();
    const Rules rules = Present(part);
    LAPSE_ASSIGN_OR_RETURN(const ErasedItems* erased, ErasedIn(part));
    for (ttl::RuleId rule : kRules) {
      auto take_first_dead = [&](const CohortId& second, const Count& count) {
        const int64_t base_ms = ttl::SaturatingSecondsToMs(second.base);
        if (!IsDead(second, rules) || count == erased->In(second)) return true;
        const int64_t died_ms = state.DiedAtMs(rule, base_ms, now_ms);
        oldest_ms = std::min(oldest_ms.value_or(died_ms), died_ms);
        return false;
      };
      const auto last_dead_ms = ttl::LastDeadBaseMs(rule, state.policy, moment.dead(), now_ms);
      if (!last_dead_ms.has_value()) continue;
      LAPSE_RETURN_IF_ERROR(
          Walk(part.id, CohortLevel::kSecond, rule, kFirstBase, *last_dead_ms / ttl::kMsPerSecond, take_first_dead));
    }
  }
  return oldest_ms;
}

Status Census::Walk(PartitionId partition, CohortLevel level, ttl::RuleId rule, int64_t first_base, int64_t last_base,
                    const Visit& visit) const {
  store::IterateOptions bounds;
  bounds.lower = CohortBound(partition, level, rule, first_base);
  bounds.upper = CohortBound(partition, level, rule, last_base + 1);
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

Result<PartitionTally> Census::TallyOf(PartitionId partition) const {
  return LoadTallyAt(*snapshot_, shard_, partition);
}

}  // namespace lapse::engine
