// The forecasts of a census, made in one pass over the spans of each rule. Seconds are read only in spans that several
// steps share.
#include <algorithm>

#include "engine/partition/counts/partition_census.h"
#include "ttl/saturating.h"

namespace lapse::engine {
namespace {

// Divides a span for counting: the seconds from the first to the last one by one, and all others into one slot.
struct Division {
  int64_t first_second;
  int64_t last_second;  // before the first: no second is read
  size_t rest;
};

// A later base never belongs to an earlier slot. So if both ends of a span belong to one slot, all of it does. If two
// slots share it, counting the seconds of the smaller side is enough.
template <typename SlotAt>
Division Divide(const CohortId& span, const SlotAt& slot_at) {
  const int64_t first = span.first_second();
  const int64_t last = span.last_second();
  const size_t first_slot = slot_at(first);
  const size_t last_slot = slot_at(last);
  if (first_slot == last_slot) return {first, first - 1, first_slot};
  // The first second of the other slot is after `same` and not after `other`.
  int64_t same = first;
  int64_t other = last;
  while (other - same > 1) {
    const int64_t middle = same + (other - same) / 2;
    (slot_at(middle) == first_slot ? same : other) = middle;
  }
  if (slot_at(other) != last_slot) return {first, last, last_slot};
  if (other - first < last - same) return {first, same, last_slot};
  return {other, last, first_slot};
}

}  // namespace

// Maps a deadline to its count in a forecast.
class PartitionCensus::Slots {
 public:
  Slots(const ForecastSteps& steps, int64_t from_ms)
      : from_ms_(from_ms / ttl::kMsPerSecond * ttl::kMsPerSecond),
        step_ms_(steps.step_s * ttl::kMsPerSecond),
        later_(steps.count) {}

  int64_t from_s() const { return from_ms_ / ttl::kMsPerSecond; }
  size_t later() const { return later_; }
  size_t never() const { return later_ + 1; }
  size_t dead() const { return later_ + 2; }
  size_t count() const { return later_ + 3; }

  // `deadline_ms` must be in the future.
  size_t Of(int64_t deadline_ms) const {
    const int64_t step = std::max<int64_t>(deadline_ms - from_ms_ - 1, 0) / step_ms_;
    return step < static_cast<int64_t>(later_) ? static_cast<size_t>(step) : later_;
  }

 private:
  const int64_t from_ms_;
  const int64_t step_ms_;
  const size_t later_;
};

Result<Forecast> PartitionCensus::ForecastBy(const ForecastSteps& steps, int64_t from_ms) const {
  return MakeForecast(steps, from_ms, Present());
}

Result<Forecast> PartitionCensus::ForecastUnder(std::optional<int32_t> default_ttl, const ForecastSteps& steps,
                                                int64_t from_ms) const {
  LAPSE_ASSIGN_OR_RETURN(const Rules after, After(default_ttl));
  return MakeForecast(steps, from_ms, after);
}

size_t PartitionCensus::SlotOf(ttl::RuleId rule, int64_t second, Sequence sequence, const Rules& rules,
                               const Slots& slots) {
  const int64_t base_ms = ttl::SaturatingSecondsToMs(second);
  if (ttl::IsDead(rule, base_ms, sequence, rules.policy, rules.dead, rules.now_ms)) return slots.dead();
  const std::optional<int64_t> deadline_ms = ttl::DeadlineMs(rule, base_ms, rules.policy);
  return deadline_ms ? slots.Of(*deadline_ms) : slots.never();
}

Status PartitionCensus::CountBySlot(ttl::RuleId rule, const Rules& rules, const Slots& slots,
                                    std::vector<Count>* counts) const {
  auto take_span = [&](const CohortId& span, const Count& in_span) -> Result<bool> {
    auto slot_at = [&](int64_t second) { return SlotOf(rule, second, span.first_sequence(), rules, slots); };
    const Division division = Divide(span, slot_at);
    Count walked;
    auto take_second = [&](const CohortId& second, const Count& in_second) {
      if (!second.IsWithin(span)) return true;
      (*counts)[slot_at(second.base)] += in_second;
      walked += in_second;
      return true;
    };
    if (division.first_second <= division.last_second) {
      LAPSE_RETURN_IF_ERROR(Walk(CohortLevel::kSecond, rule, division.first_second, division.last_second, take_second));
    }
    (*counts)[division.rest] += in_span - walked;
    return true;
  };
  return Walk(CohortLevel::kSpan, rule, kFirstBase, kLastBase, take_span);
}

Result<Forecast> PartitionCensus::MakeForecast(const ForecastSteps& steps, int64_t from_ms, const Rules& rules) const {
  const Slots slots(steps, from_ms);
  std::vector<Count> counts(slots.count());
  LAPSE_ASSIGN_OR_RETURN(const PartitionTally tally, Tally());
  LAPSE_ASSIGN_OR_RETURN(const ErasedItems* erased, ErasedNow());
  for (ttl::RuleId rule : kRules) LAPSE_RETURN_IF_ERROR(CountBySlot(rule, rules, slots, &counts));
  erased->ForEach([&](const CohortId& second, const Count& count) {
    counts[SlotOf(second.rule, second.base, second.first_sequence(), rules, slots)] -= count;
  });

  Forecast forecast;
  forecast.from_s = slots.from_s();
  forecast.steps.assign(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(steps.count));
  forecast.later = counts[slots.later()];
  // Items that never expire are in no cohort.
  forecast.never = tally.stored - erased->total() - counts[slots.dead()] - forecast.later;
  for (const Count& step : forecast.steps) forecast.never -= step;
  return forecast;
}

Result<Count> PartitionCensus::LivingOfRule(ttl::RuleId rule, const Rules& rules) const {
  Count all;
  auto take = [&all](const CohortId&, const Count& count) {
    all += count;
    return true;
  };
  LAPSE_RETURN_IF_ERROR(Walk(CohortLevel::kSpan, rule, kFirstBase, kLastBase, take));
  LAPSE_ASSIGN_OR_RETURN(const Count dead, DeadOfRule(rule, rules));
  Count living = all - dead;
  LAPSE_ASSIGN_OR_RETURN(const ErasedItems* erased, ErasedNow());
  erased->ForEach([&](const CohortId& second, const Count& count) {
    if (second.rule == rule && !IsDead(second, rules)) living -= count;
  });
  return living;
}

Result<Count> PartitionCensus::ChangingUnder(std::optional<int32_t> default_ttl) const {
  Count changing;
  LAPSE_ASSIGN_OR_RETURN(const Rules after, After(default_ttl));
  for (ttl::RuleId rule : kRules) {
    // A deadline is a base plus an offset that all items of a rule share.
    if (ttl::DeadlineMs(rule, 0, view_.moment.state().policy) == ttl::DeadlineMs(rule, 0, after.policy)) continue;
    LAPSE_ASSIGN_OR_RETURN(const Count living, LivingOfRule(rule, after));
    changing += living;
  }
  return changing;
}

Status PartitionCensus::FindNextExpiry(ttl::RuleId rule, const Rules& rules, const ErasedItems& erased,
                                       std::optional<int64_t>* next_ms) const {
  if (!ttl::DeadlineMs(rule, 0, rules.policy)) return Status::Ok();
  auto deadline_of = [&](int64_t second) {
    return *ttl::DeadlineMs(rule, ttl::SaturatingSecondsToMs(second), rules.policy);
  };
  auto is_next = [&](int64_t second) { return !*next_ms || deadline_of(second) < **next_ms; };
  auto take_second = [&](const CohortId& second, const Count& count) {
    if (!is_next(second.base)) return false;
    if (IsDead(second, rules) || count == erased.In(second)) return true;
    *next_ms = deadline_of(second.base);
    return false;
  };
  auto take_span = [&](const CohortId& span, const Count&) -> Result<bool> {
    if (!is_next(span.first_second())) return false;
    const int64_t last_ms = ttl::SaturatingSecondsToMs(span.last_second());
    if (ttl::IsDead(rule, last_ms, span.first_sequence(), rules.policy, rules.dead, rules.now_ms)) return true;
    LAPSE_RETURN_IF_ERROR(Walk(CohortLevel::kSecond, rule, span.first_second(), span.last_second(), take_second));
    return true;
  };
  return Walk(CohortLevel::kSpan, rule, kFirstBase, kLastBase, take_span);
}

Result<std::optional<int64_t>> PartitionCensus::NextExpiryMs() const {
  std::optional<int64_t> next_ms;
  LAPSE_ASSIGN_OR_RETURN(const ErasedItems* erased, ErasedNow());
  for (ttl::RuleId rule : kRules) LAPSE_RETURN_IF_ERROR(FindNextExpiry(rule, Present(), *erased, &next_ms));
  return next_ms;
}

}  // namespace lapse::engine
