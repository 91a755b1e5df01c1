// When values are equal, which one is less, and in which order they sort.
#pragma once

#include <compare>

#include "query/values/value.h"

namespace lapse::query {

// How deep the walks over a value go; deeper parts are compared, sorted and hashed by their bytes. Documents are far
// less deep, and so is what expressions make of them.
inline constexpr int kValueDepthMax = 512;

// Deep equality: 1 and 1.0 are the same, the order of an object's members does not count, that of an array's elements
// does. Undefined is equal to undefined and NaN to NaN: groups and sets need it. The operators say otherwise about
// these two.
bool SameValue(Value a, Value b);

// The operator `=`: undefined when a side is undefined; false for different types, and for NaN.
Value EqualValues(Value a, Value b);

// How two values of one primitive type (null, bool, number, string) stand to each other. Unordered: they cannot be
// compared, because the types differ or are no such types.
// NaN also is unordered; `comparable` tells the two apart.
struct Comparison {
  bool comparable = false;
  std::partial_ordering order = std::partial_ordering::unordered;
};
Comparison ComparePrimitives(Value a, Value b);

// The operators `<`, `<=`, `>`, `>=`: undefined for what cannot be compared.
Value LessThan(Value a, Value b);
Value LessOrEqual(Value a, Value b);
inline Value GreaterThan(Value a, Value b) {
  return LessThan(b, a);
}
inline Value GreaterOrEqual(Value a, Value b) {
  return LessOrEqual(b, a);
}

// The total order of ORDER BY: undefined, null, false, true, numbers (NaN first), strings by the bytes of UTF-8, arrays
// by their elements, objects by their members sorted by name. Equal exactly when SameValue.
std::strong_ordering OrderOf(Value a, Value b);

}  // namespace lapse::query
