// Ranges in the order of values: what a condition says that a value lies in. An index walks them.
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

// A place between two neighbours in the order of values.
// One place has one form: there is but one null, so what is right before it is before its type.
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

// Arrays among each other, and objects, have no cuts of values between them: only their types count.
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

// The one value that is in it; nullopt: there are several. Arrays and objects are never told from each other.
std::optional<Value> PointOf(const ValueRange& range);

// In order, and with a gap between each two.
using ValueRanges = std::vector<ValueRange>;

// Sorts ranges, leaves out empty ones and joins those that touch.
ValueRanges Joined(std::vector<ValueRange> ranges);
// The values that are in both.
ValueRanges Intersection(const ValueRanges& a, const ValueRanges& b);

// For people and for tests: `5`, `[5, 7)`, `"ab"*`, `numbers`.
std::string Describe(const ValueRange& range);

}  // namespace lapse::query::plan
