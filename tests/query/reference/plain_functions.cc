#include "tests/query/reference/plain_functions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "doc/json.h"
#include "doc/value.h"
#include "query/functions/eval_context.h"
#include "query/functions/function.h"
#include "query/functions/spatial.h"

namespace lapse::query_tests {
namespace {

using query::sql::Operator;
using Arguments = std::vector<Datum>;
using Kind = Datum::Kind;

bool IsPrimitive(const Datum& a) {
  return a.Is(Kind::kNull) || a.Is(Kind::kBool) || a.IsNumber() || a.IsString();
}

bool HasNaN(const Datum& a) {
  return a.IsNumber() && std::isnan(a.AsDouble());
}

// NaN does not equal itself, but an array of NaN equals another one.
Datum Equal(const Datum& a, const Datum& b) {
  if (a.IsUndefined() || b.IsUndefined()) return {};
  if (HasNaN(a) || HasNaN(b)) return Datum::Bool(false);
  return Datum::Bool(Same(a, b));
}

Datum Compared(Operator op, const Datum& a, const Datum& b) {
  if (a.kind() != b.kind() || !IsPrimitive(a)) return {};
  if (HasNaN(a) || HasNaN(b)) return Datum::Bool(false);
  const int order = Order(a, b);
  switch (op) {
    case Operator::kLess: return Datum::Bool(order < 0);
    case Operator::kLessOrEqual: return Datum::Bool(order <= 0);
    case Operator::kGreater: return Datum::Bool(order > 0);
    default: return Datum::Bool(order >= 0);
  }
}

Datum Arithmetic(Operator op, const Datum& a, const Datum& b) {
  if (!a.IsNumber() || !b.IsNumber()) return {};
  const double x = a.AsDouble();
  const double y = b.AsDouble();
  const bool integers = a.is_integer() && b.is_integer();
  int64_t result = 0;
  switch (op) {
    case Operator::kAdd:
      if (integers && !__builtin_add_overflow(a.integer(), b.integer(), &result)) return Datum::Integer(result);
      return Datum::Computed(x + y);
    case Operator::kSubtract:
      if (integers && !__builtin_sub_overflow(a.integer(), b.integer(), &result)) return Datum::Integer(result);
      return Datum::Computed(x - y);
    case Operator::kMultiply:
      if (integers && !__builtin_mul_overflow(a.integer(), b.integer(), &result)) return Datum::Integer(result);
      return Datum::Computed(x * y);
    case Operator::kDivide: return Datum::Computed(x / y);
    default:
      // A remainder of integers is exact; fmod of long double is, too.
      if (integers && b.integer() != 0) return Datum::Integer(static_cast<int64_t>(std::fmod(a.Exact(), b.Exact())));
      return Datum::Computed(std::fmod(x, y));
  }
}

// As in JavaScript: the low 32 bits of the whole part.
uint32_t Bits(const Datum& a) {
  if (!std::isfinite(a.AsDouble())) return 0;
  const long double rest = std::fmod(std::trunc(a.Exact()), 4294967296.0L);
  return static_cast<uint32_t>(static_cast<int64_t>(rest));
}

Datum Bitwise(Operator op, const Datum& a, const Datum& b) {
  if (!a.IsNumber() || !b.IsNumber()) return {};
  const uint32_t x = Bits(a);
  const uint32_t y = Bits(b);
  switch (op) {
    case Operator::kBitAnd: return Datum::Integer(static_cast<int32_t>(x & y));
    case Operator::kBitOr: return Datum::Integer(static_cast<int32_t>(x | y));
    case Operator::kBitXor: return Datum::Integer(static_cast<int32_t>(x ^ y));
    case Operator::kShiftLeft: return Datum::Integer(static_cast<int32_t>(x << (y & 31)));
    case Operator::kShiftRight: return Datum::Integer(static_cast<int32_t>(x) >> (y & 31));
    default: return Datum::Integer(static_cast<int64_t>(x >> (y & 31)));
  }
}

// The characters of a text, each as its UTF-8 bytes.
std::vector<std::string> Characters(std::string_view text) {
  std::vector<std::string> characters;
  for (char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) characters.emplace_back();
    characters.back().push_back(c);
  }
  return characters;
}

// A part of a pattern that matches one character, or any run of them.
struct PatternPart {
  bool any_run = false;
  bool any = false;
  bool negated = false;
  std::vector<std::pair<std::string, std::string>> ranges;
};

std::vector<PatternPart> PartsOf(const std::vector<std::string>& pattern, const std::string& escape) {
  std::vector<PatternPart> parts;
  for (size_t i = 0; i < pattern.size(); ++i) {
    PatternPart part;
    const bool escaped = !escape.empty() && pattern[i] == escape && i + 1 < pattern.size();
    if (escaped) {
      ++i;
      part.ranges = {{pattern[i], pattern[i]}};
    } else if (pattern[i] == "%") {
      part.any_run = true;
    } else if (pattern[i] == "_") {
      part.any = true;
    } else {
      size_t first = i + 1;
      const bool negated = pattern[i] == "[" && first < pattern.size() && pattern[first] == "^";
      if (negated) ++first;
      const auto close = first < pattern.size()
                             ? std::find(pattern.begin() + static_cast<ptrdiff_t>(first) + 1, pattern.end(), "]")
                             : pattern.end();
      if (pattern[i] != "[" || close == pattern.end()) {
        part.ranges = {{pattern[i], pattern[i]}};
      } else {
        part.negated = negated;
        const auto end = static_cast<size_t>(close - pattern.begin());
        for (size_t at = first; at < end; ++at) {
          const bool range = at + 2 < end && pattern[at + 1] == "-";
          part.ranges.emplace_back(pattern[at], pattern[range ? at + 2 : at]);
          if (range) at += 2;
        }
        i = end;
      }
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

bool Fits(const PatternPart& part, const std::string& character) {
  if (part.any) return true;
  bool found = false;
  for (const auto& [low, high] : part.ranges) found = found || (character >= low && character <= high);
  return found != part.negated;
}

// One row of the table of all beginnings of the text against all beginnings of the pattern at a time.
bool Matches(const std::vector<std::string>& text, const std::vector<PatternPart>& parts) {
  std::vector<bool> reached(text.size() + 1, false);
  reached[0] = true;
  for (const PatternPart& part : parts) {
    std::vector<bool> next(text.size() + 1, false);
    for (size_t i = 0; i <= text.size(); ++i) {
      if (part.any_run) {
        next[i] = reached[i] || (i > 0 && next[i - 1]);
      } else if (i > 0) {
        next[i] = reached[i - 1] && Fits(part, text[i - 1]);
      }
    }
    reached = std::move(next);
  }
  return reached[text.size()];
}

std::string Folded(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

// Searches one text for another. The third argument says whether case is ignored.
Datum Search(const Arguments& a, bool (*found)(const std::string& text, const std::string& part)) {
  if (!a[0].IsString() || !a[1].IsString() || (a.size() > 2 && !a[2].Is(Kind::kBool))) return {};
  if (a.size() > 2 && a[2].IsTrue()) return Datum::Bool(found(Folded(a[0].text()), Folded(a[1].text())));
  return Datum::Bool(found(a[0].text(), a[1].text()));
}

bool HasMembers(const Datum& element, const Datum& wanted) {
  if (!element.IsObject()) return false;
  return std::ranges::all_of(wanted.members(), [&](const auto& member) {
    const Datum own = element.At(member.first);
    return !own.IsUndefined() && Same(own, member.second);
  });
}

bool Has(const Datum& array, const Datum& value) {
  return std::ranges::any_of(array.elements(), [&](const Datum& element) { return Same(element, value); });
}

Datum ArrayContains(const Arguments& a) {
  if (!a[0].IsArray() || a[1].IsUndefined() || (a.size() > 2 && !a[2].Is(Kind::kBool))) return {};
  if (a.size() > 2 && a[2].IsTrue() && a[1].IsObject()) {
    return Datum::Bool(
        std::ranges::any_of(a[0].elements(), [&](const Datum& element) { return HasMembers(element, a[1]); }));
  }
  return Datum::Bool(Has(a[0], a[1]));
}

Datum ArrayContainsSome(const Arguments& a, bool all) {
  if (!a[0].IsArray()) return {};
  bool every = true;
  bool some = false;
  for (size_t i = 1; i < a.size(); ++i) {
    if (a[i].IsUndefined()) return {};
    const bool has = Has(a[0], a[i]);
    every = every && has;
    some = some || has;
  }
  return Datum::Bool(all ? every : some);
}

// Counts UTF-16 units: characters of four bytes are two units.
Datum Length(const Arguments& a) {
  if (!a[0].IsString()) return {};
  int64_t units = 0;
  for (const std::string& character : Characters(a[0].text())) units += character.size() == 4 ? 2 : 1;
  return Datum::Integer(units);
}

Datum Concat(const Arguments& a) {
  std::string text;
  for (const Datum& one : a) {
    if (!one.IsString()) return {};
    text += one.text();
  }
  return Datum::String(text);
}

Datum Abs(const Arguments& a) {
  if (!a[0].IsNumber()) return {};
  const bool negative = a[0].AsDouble() < 0;
  return negative ? PlainUnary(Operator::kMinus, a[0]) : a[0].is_integer() ? a[0] : Datum::Computed(a[0].AsDouble());
}

Datum Rounded(const Arguments& a, double (*round)(double)) {
  if (!a[0].IsNumber()) return {};
  return a[0].is_integer() ? a[0] : Datum::Computed(round(a[0].AsDouble()));
}

template <typename Check>
auto TypeCheck(Check check) {
  return [check](const Arguments& a) { return Datum::Bool(check(a[0])); };
}

using PlainBody = std::function<Datum(const Arguments&)>;

// Geometry is not implemented a second time: the same queries are run without an index instead.
Datum OfPlaces(const query::Function& function, const Arguments& arguments) {
  std::array<std::string, 2> documents;
  std::array<query::Value, 2> values;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!arguments[i].IsObject()) return {};
    if (!doc::JsonToBson(arguments[i].ToText(), {}, &documents[i]).ok()) return {};
    values[i] = query::Value::Object(documents[i]);
  }
  query::EvalContext context({});
  const query::Value value = function.evaluate(context, values);
  if (value.IsNumber()) return Datum::Computed(value.AsDouble());
  return value.IsBool() ? Datum::Bool(value.AsBool()) : Datum();
}

const std::map<std::string, PlainBody, std::less<>>& Functions() {
  static const std::map<std::string, PlainBody, std::less<>> functions = {
      {"ISARRAY", TypeCheck([](const Datum& v) { return v.IsArray(); })},
      {"ISBOOL", TypeCheck([](const Datum& v) { return v.Is(Kind::kBool); })},
      {"ISDEFINED", TypeCheck([](const Datum& v) { return !v.IsUndefined(); })},
      {"ISFINITENUMBER", TypeCheck([](const Datum& v) { return v.IsNumber() && std::isfinite(v.AsDouble()); })},
      {"ISINTEGER", TypeCheck([](const Datum& v) { return v.Whole().has_value(); })},
      {"ISNULL", TypeCheck([](const Datum& v) { return v.Is(Kind::kNull); })},
      {"ISNUMBER", TypeCheck([](const Datum& v) { return v.IsNumber(); })},
      {"ISOBJECT", TypeCheck([](const Datum& v) { return v.IsObject(); })},
      {"ISPRIMITIVE", TypeCheck(IsPrimitive)},
      {"ISSTRING", TypeCheck([](const Datum& v) { return v.IsString(); })},
      {"STARTSWITH",
       [](const Arguments& a) {
         return Search(a, [](const std::string& text, const std::string& part) { return text.starts_with(part); });
       }},
      {"ENDSWITH",
       [](const Arguments& a) {
         return Search(a, [](const std::string& text, const std::string& part) { return text.ends_with(part); });
       }},
      {"CONTAINS",
       [](const Arguments& a) {
         return Search(
             a, [](const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; });
       }},
      {"STRINGEQUALS",
       [](const Arguments& a) {
         return Search(a, [](const std::string& text, const std::string& part) { return text == part; });
       }},
      {"ARRAYCONTAINS", ArrayContains},
      {"ARRAYCONTAINSANY", [](const Arguments& a) { return ArrayContainsSome(a, false); }},
      {"ARRAYCONTAINSALL", [](const Arguments& a) { return ArrayContainsSome(a, true); }},
      {"ARRAYLENGTH",
       [](const Arguments& a) {
         return a[0].IsArray() ? Datum::Integer(static_cast<int64_t>(a[0].elements().size())) : Datum();
       }},
      {"LENGTH", Length},
      {"CONCAT", Concat},
      {"LOWER", [](const Arguments& a) { return a[0].IsString() ? Datum::String(Folded(a[0].text())) : Datum(); }},
      {"ABS", Abs},
      {"STWITHIN", [](const Arguments& a) { return OfPlaces(query::functions::kStWithin, a); }},
      {"STINTERSECTS", [](const Arguments& a) { return OfPlaces(query::functions::kStIntersects, a); }},
      {"STDISTANCE", [](const Arguments& a) { return OfPlaces(query::functions::kStDistance, a); }},
      {"FLOOR", [](const Arguments& a) { return Rounded(a, std::floor); }},
      {"CEILING", [](const Arguments& a) { return Rounded(a, std::ceil); }},
  };
  return functions;
}

Arguments Defined(const Arguments& values) {
  Arguments defined;
  std::ranges::copy_if(values, std::back_inserter(defined), [](const Datum& v) { return !v.IsUndefined(); });
  return defined;
}

Datum Sum(const Arguments& values) {
  Datum sum = Datum::Integer(0);
  for (const Datum& value : values) sum = Arithmetic(Operator::kAdd, sum, value);
  return sum;
}

Datum Average(const Datum& sum, size_t count) {
  if (count == 0) return {};
  return Arithmetic(Operator::kDivide, sum, Datum::Integer(static_cast<int64_t>(count)));
}

Datum Extreme(const Arguments& values, int direction) {
  if (!std::ranges::all_of(values, IsPrimitive)) return {};
  Datum best;
  for (const Datum& value : values) {
    if (best.IsUndefined() || Order(value, best) * direction > 0) best = value;
  }
  return best;
}

Datum Distinct(const Arguments& values) {
  Arguments once;
  for (const Datum& value : values) {
    if (std::ranges::none_of(once, [&](const Datum& one) { return Same(one, value); })) once.push_back(value);
  }
  return Datum::Array(std::move(once));
}

}  // namespace

Datum PlainAnd(const Datum& a, const Datum& b) {
  if (a.IsFalse() || b.IsFalse()) return Datum::Bool(false);
  return a.IsTrue() && b.IsTrue() ? Datum::Bool(true) : Datum();
}

Datum PlainOr(const Datum& a, const Datum& b) {
  if (a.IsTrue() || b.IsTrue()) return Datum::Bool(true);
  return a.IsFalse() && b.IsFalse() ? Datum::Bool(false) : Datum();
}

Datum PlainNot(const Datum& a) {
  return a.Is(Kind::kBool) ? Datum::Bool(a.IsFalse()) : Datum();
}

Datum PlainUnary(Operator op, const Datum& a) {
  if (op == Operator::kNot) return PlainNot(a);
  if (!a.IsNumber()) return {};
  if (op == Operator::kPlus) return a;
  if (op == Operator::kBitNot) return Datum::Integer(static_cast<int32_t>(~Bits(a)));
  int64_t negative = 0;
  if (a.is_integer() && !__builtin_sub_overflow(int64_t{0}, a.integer(), &negative)) return Datum::Integer(negative);
  return Datum::Computed(-a.AsDouble());
}

Datum PlainBinary(Operator op, const Datum& a, const Datum& b) {
  switch (op) {
    case Operator::kEqual: return Equal(a, b);
    case Operator::kNotEqual: return PlainNot(Equal(a, b));
    case Operator::kLess:
    case Operator::kLessOrEqual:
    case Operator::kGreater:
    case Operator::kGreaterOrEqual: return Compared(op, a, b);
    case Operator::kConcat: return Concat({a, b});
    case Operator::kAdd:
    case Operator::kSubtract:
    case Operator::kMultiply:
    case Operator::kDivide:
    case Operator::kModulo: return Arithmetic(op, a, b);
    default: return Bitwise(op, a, b);
  }
}

Datum PlainIn(const Datum& value, const std::vector<Datum>& members) {
  if (value.IsUndefined()) return {};
  return Datum::Bool(std::ranges::any_of(members, [&](const Datum& member) { return Equal(value, member).IsTrue(); }));
}

Datum PlainLike(const Datum& text, const Datum& pattern, const Datum& escape, bool has_escape) {
  if (!text.IsString() || !pattern.IsString()) return {};
  if (has_escape && (!escape.IsString() || Characters(escape.text()).size() != 1)) return {};
  const std::vector<PatternPart> parts =
      PartsOf(Characters(pattern.text()), has_escape ? escape.text() : std::string());
  return Datum::Bool(Matches(Characters(text.text()), parts));
}

bool IsPlainFunction(std::string_view name) {
  return Functions().contains(name);
}

Datum PlainFunction(std::string_view name, const std::vector<Datum>& arguments) {
  return Functions().find(name)->second(arguments);
}

bool IsPlainAggregate(std::string_view name) {
  constexpr std::string_view kNames[] = {"COUNT", "COUNTIF", "SUM", "AVG", "MIN", "MAX", "MAKELIST", "MAKESET"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

Datum PlainAggregate(std::string_view name, const std::vector<std::vector<Datum>>& parts) {
  Arguments defined;
  Arguments sums;
  for (const std::vector<Datum>& values : parts) {
    const Arguments of_part = Defined(values);
    sums.push_back(Sum(of_part));
    defined.insert(defined.end(), of_part.begin(), of_part.end());
  }
  if (name == "COUNT") return Datum::Integer(static_cast<int64_t>(defined.size()));
  if (name == "COUNTIF") return Datum::Integer(std::ranges::count_if(defined, &Datum::IsTrue));
  if (name == "SUM") return Sum(sums);
  if (name == "AVG") return Average(Sum(sums), defined.size());
  if (name == "MIN") return Extreme(defined, -1);
  if (name == "MAX") return Extreme(defined, 1);
  if (name == "MAKELIST") return Datum::Array(defined);
  return Distinct(defined);
}

}  // namespace lapse::query_tests
