#include "query/functions/eval_context.h"

#include <string>

#include "query/functions/geometry_cache.h"
#include "query/functions/pattern_cache.h"

namespace lapse::query {

Status PoolInUse() {
  return {Code::kUnavailable, "The memory that all queries may have together is in use; try again."};
}

uint64_t StepsFor(Value value) {
  constexpr uint64_t kBytesInAStep = 4;
  if (value.IsString()) return 1 + value.AsString().size() / kBytesInAStep;
  if (value.IsArray() || value.IsObject()) return 1 + value.AsDocument().size() / kBytesInAStep;
  return 1;
}

EvalContext::EvalContext(const EvalSettings& settings)
    : settings_(settings),
      lasting_(settings.memory_bytes_max, MemoryPool::Part{settings.pool}),
      arena_(settings.memory_bytes_max, settings.pool),
      steps_left_(settings.steps_max) {}

EvalContext::~EvalContext() = default;

double EvalContext::Random() {
  constexpr int kBitsOfADouble = 53;
  refused_random_ |= !settings_.may_be_random;
  // Created on first use: seeding it takes longer than many a query.
  if (!random_.has_value()) random_.emplace(settings_.seed);
  return static_cast<double>((*random_)() >> (64 - kBitsOfADouble)) / static_cast<double>(int64_t{1} << kBitsOfADouble);
}

PatternCache& EvalContext::patterns() {
  if (patterns_ == nullptr) patterns_ = std::make_unique<PatternCache>();
  return *patterns_;
}

GeometryCache& EvalContext::geometries() {
  if (geometries_ == nullptr) geometries_ = std::make_unique<GeometryCache>();
  return *geometries_;
}

Status EvalContext::status() const {
  if (out_of_steps_) {
    return {Code::kTooLarge,
            "The condition takes more work than it may: it looks at too much text or too many values."};
  }
  if (!arena_.exhausted()) {
    return refused_random_ ? Status(Code::kInternal, "a random number where there is none") : Status::Ok();
  }
  if (arena_.refused_by_pool()) return PoolInUse();
  return {Code::kTooLarge, "The query needs more memory than the " + std::to_string(arena_.budget_bytes()) +
                               " bytes that a query may have for the values it makes."};
}

}  // namespace lapse::query
