// What a plan requires of the values at paths of its items, so that an index can find these items.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "query/plan/operator.h"
#include "query/plan/value_range.h"

namespace lapse::query::plan {

// One step down an item: into a member of an object, or into all elements of an array.
struct PathStep {
  std::string_view name;
  bool into_elements = false;

  auto operator<=>(const PathStep&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy sees a 0 in it
};
using Path = std::vector<PathStep>;

// Every item that gives a row meets the condition. Names and values belong to the plan.
struct Condition {
  enum class Kind : uint8_t {
    kEverything,  // no requirement
    kPath,        // there is a value in one of `ranges` at `path`
    kNear,        // at `path` there is a geometry no farther than `distance_m` from `geometry`
    kAll,         // all of `parts`
    kAny,         // one of `parts`; without parts no item matches
  };

  Kind kind = Kind::kEverything;
  Path path;
  ValueRanges ranges;
  const Expression* geometry = nullptr;  // a constant, or built from constants
  double distance_m = 0;                 // 0: they intersect
  std::vector<Condition> parts;
  // The filters demand nothing else: an item that meets the condition passes them.
  bool exact = false;
  // No filter demands it: a value that the query returns must exist.
  bool implied = false;

  bool IsNothing() const { return kind == Kind::kAny && parts.empty(); }
};

// The condition of a chain, from its scan up to where rows no longer belong to one item.
struct ScanCondition {
  Condition condition;
  const Operator* last = nullptr;  // the last operator that it covers; null: the chain has no scan
  // No item gives more than one row. If the condition is exact, each item that meets it gives one.
  bool one_row = false;
};
ScanCondition ConditionOfScan(const Operator* last);

// Whether any part of the condition is implied.
bool HasImplied(const Condition& condition);
Condition WithoutImplied(const Condition& condition);

// Returns the path in the item of the expression's value, for rows of this chain. Nullopt: the value is not at a path.
std::optional<Path> PathOf(const Expression& expression, const Operator* last);

}  // namespace lapse::query::plan
