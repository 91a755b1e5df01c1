#include "query/values/compare.h"

#include <algorithm>
#include <vector>

#include "query/values/number.h"

namespace lapse::query {
namespace {

// Objects with more members than this, in different orders, are sorted by name for comparison. With fewer members,
// looking up each name is quicker.
constexpr size_t kFewMembers = 16;

// The rank of types in ORDER BY. Both kinds of numbers are one type.
int RankOf(Kind kind) {
  switch (kind) {
    case Kind::kUndefined: return 0;
    case Kind::kNull: return 1;
    case Kind::kBool: return 2;
    case Kind::kInt64:
    case Kind::kDouble: return 3;
    case Kind::kString: return 4;
    case Kind::kArray: return 5;
    case Kind::kObject: return 6;
  }
  return 0;
}

struct Member {
  std::string_view name;
  Value value;
};

// If several members have the same name, the first counts, as in Property.
std::vector<Member> SortedMembers(Value object) {
  std::vector<Member> members;
  doc::Reader reader(object.AsDocument());
  while (auto element = reader.Next()) members.push_back({element->name, Value::FromBson(element->value)});
  std::stable_sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.name < b.name; });
  return members;
}

std::strong_ordering OrderOfBytes(std::string_view a, std::string_view b) {
  return a.compare(b) <=> 0;
}

bool SameAt(Value a, Value b, int depth);
std::strong_ordering OrderAt(Value a, Value b, int depth);

bool SameArrays(Value a, Value b, int depth) {
  Elements in_a(a);
  Elements in_b(b);
  for (;;) {
    auto from_a = in_a.Next();
    auto from_b = in_b.Next();
    if (!from_a || !from_b) return !from_a && !from_b;
    if (!SameAt(*from_a, *from_b, depth)) return false;
  }
}

bool SameMembers(Value a, Value b, size_t count, int depth) {
  if (count <= kFewMembers) {
    doc::Reader reader(a.AsDocument());
    while (auto element = reader.Next()) {
      const doc::Value other = doc::Find(b.AsDocument(), element->name);
      if (other.missing() || !SameAt(Value::FromBson(element->value), Value::FromBson(other), depth)) return false;
    }
    return true;
  }
  const std::vector<Member> in_a = SortedMembers(a);
  const std::vector<Member> in_b = SortedMembers(b);
  return std::equal(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(), [depth](const Member& x, const Member& y) {
    return x.name == y.name && SameAt(x.value, y.value, depth);
  });
}

// Most equal objects also have their members in the same order.
bool SameObjects(Value a, Value b, int depth) {
  doc::Reader in_a(a.AsDocument());
  doc::Reader in_b(b.AsDocument());
  for (;;) {
    auto from_a = in_a.Next();
    auto from_b = in_b.Next();
    if (!from_a || !from_b) return !from_a && !from_b;
    if (from_a->name != from_b->name) break;
    if (!SameAt(Value::FromBson(from_a->value), Value::FromBson(from_b->value), depth)) return false;
  }
  const size_t count = CountOf(a);
  return count == CountOf(b) && SameMembers(a, b, count, depth);
}

bool SameNumbers(Value a, Value b) {
  const auto order = CompareNumbers(a, b);
  if (order != std::partial_ordering::unordered) return std::is_eq(order);
  return a.kind() == b.kind() && std::isnan(a.AsDouble()) && std::isnan(b.AsDouble());
}

bool SameAt(Value a, Value b, int depth) {
  if (a.IsNumber() && b.IsNumber()) return SameNumbers(a, b);
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::kUndefined:
    case Kind::kNull: return true;
    case Kind::kBool: return a.AsBool() == b.AsBool();
    case Kind::kString: return a.AsString() == b.AsString();
    case Kind::kArray:
    case Kind::kObject:
      if (a.AsDocument() == b.AsDocument()) return true;
      if (depth == kValueDepthMax) return false;
      return a.IsArray() ? SameArrays(a, b, depth + 1) : SameObjects(a, b, depth + 1);
    default: return false;
  }
}

std::strong_ordering OrderOfNumbers(Value a, Value b) {
  const auto order = CompareNumbers(a, b);
  if (std::is_lt(order)) return std::strong_ordering::less;
  if (std::is_gt(order)) return std::strong_ordering::greater;
  if (std::is_eq(order)) return std::strong_ordering::equal;
  // NaN comes before all numbers.
  return std::isnan(b.AsDouble()) <=> std::isnan(a.AsDouble());
}

std::strong_ordering OrderOfArrays(Value a, Value b, int depth) {
  Elements in_a(a);
  Elements in_b(b);
  for (;;) {
    auto from_a = in_a.Next();
    auto from_b = in_b.Next();
    if (!from_a || !from_b) return from_a.has_value() <=> from_b.has_value();
    const auto order = OrderAt(*from_a, *from_b, depth);
    if (std::is_neq(order)) return order;
  }
}

std::strong_ordering OrderOfObjects(Value a, Value b, int depth) {
  const std::vector<Member> in_a = SortedMembers(a);
  const std::vector<Member> in_b = SortedMembers(b);
  const size_t common = std::min(in_a.size(), in_b.size());
  for (size_t i = 0; i < common; ++i) {
    auto order = OrderOfBytes(in_a[i].name, in_b[i].name);
    if (std::is_eq(order)) order = OrderAt(in_a[i].value, in_b[i].value, depth);
    if (std::is_neq(order)) return order;
  }
  return in_a.size() <=> in_b.size();
}

std::strong_ordering OrderAt(Value a, Value b, int depth) {
  if (const auto order = RankOf(a.kind()) <=> RankOf(b.kind()); std::is_neq(order)) return order;
  switch (a.kind()) {
    case Kind::kUndefined:
    case Kind::kNull: return std::strong_ordering::equal;
    case Kind::kBool: return a.AsBool() <=> b.AsBool();
    case Kind::kInt64:
    case Kind::kDouble: return OrderOfNumbers(a, b);
    case Kind::kString: return OrderOfBytes(a.AsString(), b.AsString());
    case Kind::kArray:
    case Kind::kObject:
      if (depth == kValueDepthMax) return OrderOfBytes(a.AsDocument(), b.AsDocument());
      return a.IsArray() ? OrderOfArrays(a, b, depth + 1) : OrderOfObjects(a, b, depth + 1);
  }
  return std::strong_ordering::equal;
}

}  // namespace

bool SameValue(Value a, Value b) {
  return SameAt(a, b, 0);
}

Value EqualValues(Value a, Value b) {
  if (a.IsUndefined() || b.IsUndefined()) return {};
  if (a.IsNumber() && b.IsNumber()) return Value::Bool(std::is_eq(CompareNumbers(a, b)));
  return Value::Bool(SameAt(a, b, 0));
}

Comparison ComparePrimitives(Value a, Value b) {
  if (a.IsNumber() && b.IsNumber()) return {true, CompareNumbers(a, b)};
  if (a.kind() != b.kind()) return {};
  switch (a.kind()) {
    case Kind::kNull: return {true, std::partial_ordering::equivalent};
    case Kind::kBool: return {true, a.AsBool() <=> b.AsBool()};
    case Kind::kString: return {true, OrderOfBytes(a.AsString(), b.AsString())};
    default: return {};
  }
}

Value LessThan(Value a, Value b) {
  const Comparison comparison = ComparePrimitives(a, b);
  return comparison.comparable ? Value::Bool(std::is_lt(comparison.order)) : Value();
}

Value LessOrEqual(Value a, Value b) {
  const Comparison comparison = ComparePrimitives(a, b);
  return comparison.comparable ? Value::Bool(std::is_lteq(comparison.order)) : Value();
}

std::strong_ordering OrderOf(Value a, Value b) {
  return OrderAt(a, b, 0);
}

}  // namespace lapse::query
