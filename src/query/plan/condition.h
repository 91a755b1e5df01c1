// What a plan says about the values that its items have at paths, so that an index can find these items.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "query/plan/operator.h"
#include "query/plan/value_range.h"

namespace lapse::query::plan {

// One step down an item: into the member of an object, or into the elements of an array, all of them.
struct PathStep {
  std::string_view name;
  bool into_elements = false;

  auto operator<=>(const PathStep&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy sees a 0 in it
};
using Path = std::vector<PathStep>;

// Every item that gives a row fulfils the condition. Names and values are those of the plan.
struct Condition {
  enum class Kind : uint8_t {
    kEverything,  // says nothing
    kPath,        // there is a value in one of `ranges` at `path`
    kNear,        // at `path` there is a geometry no farther than `distance_m` from `geometry`
    kAll,         // all of `parts`
    kAny,         // one of `parts`; without parts no item fulfils it
  };

  Kind kind = Kind::kEverything;
  Path path;
  ValueRanges ranges;
  const Expression* geometry = nullptr;  // a constant, or made of constants
  double distance_m = 0;                 // 0: they share a place
  std::vector<Condition> parts;
  // It is all that the filters say: an item that fulfils it passes them.
  bool exact = false;
  // No filter says it: a value that is shown has to be there.
  bool implied = false;

  bool IsNothing() const { return kind == Kind::kAny && parts.empty(); }
};

// Of a chain, from its scan up to where rows are no longer those of one item.
struct ScanCondition {
  Condition condition;
  const Operator* last = nullptr;  // the last operator that it is about; null: the chain has no scan
  // No item gives more than one row. With an exact condition each item that fulfils it gives one.
  bool one_row = false;
};
ScanCondition ConditionOfScan(const Operator* last);

// Without what is implied.
bool HasImplied(const Condition& condition);
Condition WithoutImplied(const Condition& condition);

// The path from the item to what the expression gives for rows of this chain; nullopt: it is something else.
std::optional<Path> PathOf(const Expression& expression, const Operator* last);

}  // namespace lapse::query::plan
