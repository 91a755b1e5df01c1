// Ranges in the order of values, which say where a condition wants a value to be. An index scans them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/values/value.h"

namespace lapse::query::plan {

// The types of values, in the order in which they sort. Integers and doubles are one type.
enum class ValueType : uint8_t { kUndefined, kNull, kBool, kNumber, kString, kArray, kObject };

ValueType TypeOf(Value value);

// A position between two neighbours in the order of values. Each position has one form only: there is just one null, so
// the position right before it is written as before its type.
struct Cut {
  enum class Side : uint8_t {
    kBeforeType,      // before all values of the type
    kBefore,          // right before the value
    kAfter,           // right after the value
    kAfterBeginning,  // right after the last string that begins with the value
    kAfterType,       // after all values of the type
  };

  ValueType type = ValueType::kUndefined;
  Side side = Side::kBeforeType;
  Value value;

  static Cut BeforeType(ValueType type) { return {type, Side::kBeforeType, {}}; }
  static Cut AfterType(ValueType type) { return {type, Side::kAfterType, {}}; }
  static Cut Before(Value value) { return value.IsNull() ? BeforeType(ValueType::kNull) : At(value, Side::kBefore); }
  static Cut After(Value value) { return value.IsNull() ? AfterType(ValueType::kNull) : At(value, Side::kAfter); }
  static Cut AfterBeginning(Value beginning) { return At(beginning, Side::kAfterBeginning); }

 private:
  static Cut At(Value value, Side side) { return {TypeOf(value), side, value}; }
};

// There are no cuts between the values of arrays, nor between those of objects: only their types count.
std::strong_ordering CompareCuts(const Cut& a, const Cut& b);

// The values between two cuts.
struct ValueRange {
  Cut from;
  Cut to;

  static ValueRange Point(Value value) { return {Cut::Before(value), Cut::After(value)}; }
  static ValueRange Types(ValueType first, ValueType last) { return {Cut::BeforeType(first), Cut::AfterType(last)}; }
  static ValueRange Type(ValueType type) { return Types(type, type); }
  static ValueRange Beginning(Value text) { return {Cut::Before(text), Cut::AfterBeginning(text)}; }
  static ValueRange Defined() { return Types(ValueType::kNull, ValueType::kObject); }
};

// Returns the only value in the range, or nullopt if there are several. Arrays are never told apart, and neither are
// objects.
std::optional<Value> PointOf(const ValueRange& range);

// Ascending, with a gap between each two.
using ValueRanges = std::vector<ValueRange>;

// Sorts ranges, drops empty ones and joins those that touch.
ValueRanges Joined(std::vector<ValueRange> ranges);
// Returns the values that are in both.
ValueRanges Intersection(const ValueRanges& a, const ValueRanges& b);

// For people and for tests: `5`, `[5, 7)`, `"ab"*`, `numbers`.
std::string Describe(const ValueRange& range);

}  // namespace lapse::query::plan
