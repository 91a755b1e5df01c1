#include "query/plan/value_range.h"

#include <algorithm>
#include <string_view>

#include "query/values/compare.h"
#include "query/values/json_text.h"

namespace lapse::query::plan {
namespace {

using Side = Cut::Side;

std::strong_ordering Reversed(std::strong_ordering order) {
  return 0 <=> order;
}

// Compares a cut after all strings with a prefix to a cut at a string.
std::strong_ordering CompareBeginning(const Cut& beginning, const Cut& other) {
  const std::string_view text = other.value.AsString();
  const std::string_view begin = beginning.value.AsString();
  if (other.side == Side::kAfterBeginning) {
    if (text == begin) return std::strong_ordering::equal;
    // If one is a prefix of the other, the longer one ends first.
    if (begin.starts_with(text)) return std::strong_ordering::less;
  }
  if (text.starts_with(begin)) return std::strong_ordering::greater;
  return begin.compare(text) <=> 0;
}

std::string_view NameOf(ValueType type) {
  switch (type) {
    case ValueType::kUndefined: return "undefined";
    case ValueType::kNull: return "null";
    case ValueType::kBool: return "bools";
    case ValueType::kNumber: return "numbers";
    case ValueType::kString: return "strings";
    case ValueType::kArray: return "arrays";
    case ValueType::kObject: return "objects";
  }
  return "";
}

bool IsOfType(const Cut& cut) {
  return cut.side == Side::kBeforeType || cut.side == Side::kAfterType;
}

std::string TextOf(const Cut& cut) {
  if (IsOfType(cut)) return std::string(NameOf(cut.type));
  std::string text;
  AppendJson(cut.value, &text);
  if (cut.side == Side::kAfterBeginning) text += "*";
  return text;
}

}  // namespace

ValueType TypeOf(Value value) {
  switch (value.kind()) {
    case Kind::kUndefined: return ValueType::kUndefined;
    case Kind::kNull: return ValueType::kNull;
    case Kind::kBool: return ValueType::kBool;
    case Kind::kInt64:
    case Kind::kDouble: return ValueType::kNumber;
    case Kind::kString: return ValueType::kString;
    case Kind::kArray: return ValueType::kArray;
    case Kind::kObject: return ValueType::kObject;
  }
  return ValueType::kUndefined;
}

std::strong_ordering CompareCuts(const Cut& a, const Cut& b) {
  if (a.type != b.type) return a.type <=> b.type;
  // Before or after the whole type.
  if (IsOfType(a) || IsOfType(b)) {
    const auto place = [](const Cut& cut) {
      if (!IsOfType(cut)) return 1;
      return cut.side == Side::kBeforeType ? 0 : 2;
    };
    return place(a) <=> place(b);
  }
  if (a.side == Side::kAfterBeginning) return CompareBeginning(a, b);
  if (b.side == Side::kAfterBeginning) return Reversed(CompareBeginning(b, a));
  const std::strong_ordering order = OrderOf(a.value, b.value);
  return std::is_neq(order) ? order : a.side <=> b.side;
}

ValueRanges Joined(std::vector<ValueRange> ranges) {
  std::erase_if(ranges, [](const ValueRange& range) { return std::is_gteq(CompareCuts(range.from, range.to)); });
  std::sort(ranges.begin(), ranges.end(),
            [](const ValueRange& a, const ValueRange& b) { return std::is_lt(CompareCuts(a.from, b.from)); });
  ValueRanges joined;
  for (const ValueRange& range : ranges) {
    if (joined.empty() || std::is_gt(CompareCuts(range.from, joined.back().to))) {
      joined.push_back(range);
    } else if (std::is_gt(CompareCuts(range.to, joined.back().to))) {
      joined.back().to = range.to;
    }
  }
  return joined;
}

ValueRanges Intersection(const ValueRanges& a, const ValueRanges& b) {
  ValueRanges both;
  auto in_a = a.begin();
  auto in_b = b.begin();
  while (in_a != a.end() && in_b != b.end()) {
    const Cut& from = std::is_gt(CompareCuts(in_a->from, in_b->from)) ? in_a->from : in_b->from;
    const bool a_ends = std::is_lt(CompareCuts(in_a->to, in_b->to));
    const Cut& to = a_ends ? in_a->to : in_b->to;
    if (std::is_lt(CompareCuts(from, to))) both.push_back({from, to});
    a_ends ? ++in_a : ++in_b;
  }
  return both;
}

std::optional<Value> PointOf(const ValueRange& range) {
  const auto& [from, to] = range;
  if (from.type == ValueType::kNull && to.type == ValueType::kNull) return Value::Null();
  const bool is_point = from.side == Side::kBefore && to.side == Side::kAfter && SameValue(from.value, to.value);
  return is_point ? std::optional<Value>(from.value) : std::nullopt;
}

std::string Describe(const ValueRange& range) {
  const Cut& from = range.from;
  const Cut& to = range.to;
  const bool whole_types = from.side == Side::kBeforeType && to.side == Side::kAfterType;
  if (whole_types && from.type == to.type) return TextOf(from);
  if (from.side == Side::kBefore && to.side == Side::kAfter && SameValue(from.value, to.value)) return TextOf(from);
  if (from.side == Side::kBefore && to.side == Side::kAfterBeginning && SameValue(from.value, to.value)) {
    return TextOf(to);
  }
  const bool with_from = from.side == Side::kBefore || from.side == Side::kBeforeType;
  const bool with_to = to.side != Side::kBefore && to.side != Side::kBeforeType;
  return (with_from ? "[" : "(") + TextOf(from) + ", " + TextOf(to) + (with_to ? "]" : ")");
}

}  // namespace lapse::query::plan
