// The logical operators: each takes the rows of its input and gives rows. A query is a chain of them.
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
  kOnce,       // one row: that of the query around it, or an empty one. No input.
  kScan,       // each item of the container, in slot. No input.
  kProject,    // expression into slot; rows for which it is undefined vanish
  kUnnest,     // a row for each element of the array that expression is, the element in slot; other values give none
  kApply,      // a row for each result of query, which is run for each row of the input; the result in slot
  kFilter,     // the rows for which expression is true
  kAggregate,  // a row for each group (group_keys, aggregates); without keys one group, which may be empty
  kSort,       // sort_keys
  kDistinct,   // the first of the rows that have the same value in slot
  kSlice,      // without the first `offset` rows, no more than `limit`
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
  // kMostSimilar: a distance between vectors, in the direction that its measure has.
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

// The results of a query are the values that the rows of its last operator have in `result`.
struct Query {
  const Operator* last = nullptr;
  Slot result = 0;
};

}  // namespace lapse::query::plan
