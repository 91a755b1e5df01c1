// The logical operators: each takes the rows of its input and produces rows. A query is a chain of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "query/plan/expression.h"

namespace lapse::query {
struct Aggregate;
}

namespace lapse::query::plan {

enum class OperatorKind : uint8_t {
  kOnce,       // one row: that of the enclosing query, or an empty one. No input.
  kScan,       // each item of the container, in slot. No input.
  kProject,    // expression into slot; drops rows for which it is undefined
  kUnnest,     // a row for each element of the array `expression`, with the element in slot; none for other values
  kApply,      // a row for each result of query, which runs for each input row; the result in slot
  kFilter,     // the rows for which expression is true
  kAggregate,  // a row for each group (group_keys, aggregates); without keys one group, which may be empty
  kSort,       // sort_keys
  kDistinct,   // the first of the rows with the same value in slot
  kSlice,      // skips `offset` rows, then passes at most `limit`
};

struct GroupKey {
  const Expression* expression = nullptr;
  Slot slot = 0;
};

struct AggregateCall {
  const Aggregate* aggregate = nullptr;
  std::string_view name;  // as the front end calls it, for people
  const Expression* argument = nullptr;
  Slot slot = 0;
};

struct SortKey {
  // kMostSimilar: a distance between vectors, whose direction depends on the measure.
  enum class Direction : uint8_t { kAscending, kDescending, kMostSimilar };

  const Expression* expression = nullptr;
  Direction direction = Direction::kAscending;
};

struct Operator {
  OperatorKind kind = OperatorKind::kOnce;
  const Operator* input = nullptr;
  Slot slot = 0;
  const Expression* expression = nullptr;
  const Query* query = nullptr;
  std::span<const GroupKey> group_keys;
  std::span<const AggregateCall> aggregates;
  std::span<const SortKey> sort_keys;
  uint64_t offset = 0;
  std::optional<uint64_t> limit;
};

// The results of a query are the values in slot `result` of its last operator's rows.
struct Query {
  const Operator* last = nullptr;
  Slot result = 0;
};

}  // namespace lapse::query::plan
