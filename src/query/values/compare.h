// Equality, comparison and sort order of values.
#pragma once

#include <compare>

#include "query/values/value.h"

namespace lapse::query {

// How deep functions descend into a value. Deeper parts are compared, sorted and hashed by their bytes. Documents, and
// what expressions make of them, are far less deep.
inline constexpr int kValueDepthMax = 512;

// Deep equality: 1 and 1.0 are equal, and the order of an object's members does not count, while that of an array's
// elements does. Undefined equals undefined and NaN equals NaN, because groups and sets need it. The operators treat
// these two differently.
bool SameValue(Value a, Value b);

// The operator `=`: undefined if a side is undefined; false for different types, and for NaN.
Value EqualValues(Value a, Value b);

// The comparison of two values of one primitive type (null, bool, number, string). Unordered means that they cannot be
// compared, because their types differ or are not primitive. NaN is unordered, too; `comparable` tells the two cases
// apart.
struct Comparison {
  bool comparable = false;
  std::partial_ordering order = std::partial_ordering::unordered;
};
Comparison ComparePrimitives(Value a, Value b);

// The operators `<`, `<=`, `>`, `>=`: undefined for values that cannot be compared.
Value LessThan(Value a, Value b);
Value LessOrEqual(Value a, Value b);
inline Value GreaterThan(Value a, Value b) {
  return LessThan(b, a);
}
inline Value GreaterOrEqual(Value a, Value b) {
  return LessOrEqual(b, a);
}

// The total order of ORDER BY: undefined, null, false, true, numbers (NaN first), strings by their UTF-8 bytes, arrays
// by their elements, objects by their members sorted by name. Equal exactly if SameValue.
std::strong_ordering OrderOf(Value a, Value b);

}  // namespace lapse::query
