#include "tests/query/reference/datum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "doc/json.h"

namespace lapse::query_tests {
namespace {

constexpr doc::JsonLimits kLimits = {.depth_max = 200, .bytes_max = 64 << 20};
constexpr double kTwoTo53 = 9007199254740992.0;
constexpr double kTwoTo63 = 9223372036854775808.0;

int Sign(bool less, bool greater) {
  return less ? -1 : greater ? 1 : 0;
}

int OrderOfNumbers(const Datum& a, const Datum& b) {
  const long double x = a.Exact();
  const long double y = b.Exact();
  if (std::isnan(x) || std::isnan(y)) return Sign(std::isnan(x) && !std::isnan(y), !std::isnan(x) && std::isnan(y));
  return Sign(x<y, x> y);
}

Datum::Members Sorted(Datum::Members members) {
  std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return members;
}

int OrderOfObjects(const Datum& a, const Datum& b) {
  const Datum::Members x = Sorted(a.members());
  const Datum::Members y = Sorted(b.members());
  for (size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (const int names = x[i].first.compare(y[i].first); names != 0) return names;
    if (const int values = Order(x[i].second, y[i].second); values != 0) return values;
  }
  return Sign(x.size() < y.size(), x.size() > y.size());
}

}  // namespace

Datum Datum::Null() {
  return Datum(Kind::kNull);
}

Datum Datum::Bool(bool value) {
  Datum datum(Kind::kBool);
  datum.integer_ = value ? 1 : 0;
  return datum;
}

Datum Datum::Integer(int64_t value) {
  Datum datum(Kind::kNumber);
  datum.is_integer_ = true;
  datum.integer_ = value;
  return datum;
}

Datum Datum::Real(double value) {
  Datum datum(Kind::kNumber);
  datum.real_ = value;
  return datum;
}

Datum Datum::Computed(double value) {
  if (std::abs(value) < kTwoTo53 && value == std::trunc(value)) return Integer(static_cast<int64_t>(value));
  return Real(value);
}

Datum Datum::String(std::string text) {
  Datum datum(Kind::kString);
  datum.tree_ = std::make_shared<const Tree>(Tree{std::move(text), {}, {}});
  return datum;
}

Datum Datum::Array(std::vector<Datum> elements) {
  std::erase_if(elements, [](const Datum& element) { return element.IsUndefined(); });
  Datum datum(Kind::kArray);
  datum.tree_ = std::make_shared<const Tree>(Tree{{}, std::move(elements), {}});
  return datum;
}

Datum Datum::Object(Members members) {
  std::erase_if(members, [](const auto& member) { return member.second.IsUndefined(); });
  Datum datum(Kind::kObject);
  datum.tree_ = std::make_shared<const Tree>(Tree{{}, {}, std::move(members)});
  return datum;
}

Datum Datum::FromBson(doc::Value value) {
  switch (value.type()) {
    case doc::Type::kNull: return Null();
    case doc::Type::kBool: return Bool(value.AsBool());
    case doc::Type::kInt32:
    case doc::Type::kInt64: return Integer(value.AsInt64());
    case doc::Type::kDouble: return Real(value.AsDouble());
    case doc::Type::kString: return String(std::string(value.AsString()));
    case doc::Type::kArray: {
      std::vector<Datum> elements;
      doc::Reader reader(value.AsDocument());
      while (auto element = reader.Next()) elements.push_back(FromBson(element->value));
      return Array(std::move(elements));
    }
    case doc::Type::kObject: {
      Members members;
      doc::Reader reader(value.AsDocument());
      while (auto element = reader.Next()) members.emplace_back(element->name, FromBson(element->value));
      return Object(std::move(members));
    }
    default: return {};
  }
}

Datum Datum::FromJson(std::string_view json) {
  std::string bson;
  const Status status = doc::JsonToBson("{\"v\":" + std::string(json) + "}", kLimits, &bson);
  EXPECT_TRUE(status.ok()) << json << ": " << status.ToString();
  return status.ok() ? FromBson(doc::Find(bson, "v")) : Datum();
}

std::optional<int64_t> Datum::Whole() const {
  if (!IsNumber()) return std::nullopt;
  if (is_integer_) return integer_;
  if (!(real_ >= -kTwoTo63 && real_ < kTwoTo63) || real_ != std::trunc(real_)) return std::nullopt;
  return static_cast<int64_t>(real_);
}

Datum Datum::At(std::string_view name) const {
  if (!IsObject()) return {};
  for (const auto& [own_name, value] : members()) {
    if (own_name == name) return value;
  }
  return {};
}

Datum Datum::At(int64_t index) const {
  if (!IsArray() || index < 0 || static_cast<size_t>(index) >= elements().size()) return {};
  return elements()[static_cast<size_t>(index)];
}

std::string Datum::ToText() const {
  std::string json;
  switch (kind_) {
    case Kind::kUndefined: return "undefined";
    case Kind::kNull: return "null";
    case Kind::kBool: return integer_ != 0 ? "true" : "false";
    case Kind::kNumber: {
      if (is_integer_) return std::to_string(integer_);
      char digits[32];
      json.assign(digits, std::to_chars(digits, digits + sizeof(digits), real_).ptr);
      return json.find_first_of(".en") == std::string::npos ? json + ".0" : json;
    }
    case Kind::kString: doc::StringToJson(text(), &json); return json;
    case Kind::kArray:
      for (const Datum& element : elements()) json += (json.empty() ? "" : ",") + element.ToText();
      return "[" + json + "]";
    case Kind::kObject:
      for (const auto& [name, value] : members()) {
        if (!json.empty()) json += ",";
        doc::StringToJson(name, &json);
        json += ":" + value.ToText();
      }
      return "{" + json + "}";
  }
  return json;
}

int Order(const Datum& a, const Datum& b) {
  if (a.kind() != b.kind()) return Sign(a.kind() < b.kind(), a.kind() > b.kind());
  switch (a.kind()) {
    case Datum::Kind::kUndefined:
    case Datum::Kind::kNull: return 0;
    case Datum::Kind::kBool: return Sign(a.IsFalse() && b.IsTrue(), a.IsTrue() && b.IsFalse());
    case Datum::Kind::kNumber: return OrderOfNumbers(a, b);
    case Datum::Kind::kString: return a.text().compare(b.text());
    case Datum::Kind::kArray:
      for (size_t i = 0; i < std::min(a.elements().size(), b.elements().size()); ++i) {
        if (const int order = Order(a.elements()[i], b.elements()[i]); order != 0) return order;
      }
      return Sign(a.elements().size() < b.elements().size(), a.elements().size() > b.elements().size());
    case Datum::Kind::kObject: return OrderOfObjects(a, b);
  }
  return 0;
}

bool Identical(const Datum& a, const Datum& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Datum::Kind::kNumber: return Same(a, b) && (a.is_integer() == b.is_integer() || a.Exact() == 0);
    case Datum::Kind::kArray: return std::ranges::equal(a.elements(), b.elements(), Identical);
    case Datum::Kind::kObject:
      return std::ranges::equal(a.members(), b.members(), [](const auto& x, const auto& y) {
        return x.first == y.first && Identical(x.second, y.second);
      });
    default: return Same(a, b);
  }
}

Datum Shown(const Datum& value) {
  if (value.IsNumber() && !std::isfinite(value.AsDouble())) {
    if (std::isnan(value.AsDouble())) return Datum::String("NaN");
    return Datum::String(value.AsDouble() > 0 ? "Infinity" : "-Infinity");
  }
  if (value.IsArray()) {
    std::vector<Datum> elements;
    for (const Datum& element : value.elements()) elements.push_back(Shown(element));
    return Datum::Array(std::move(elements));
  }
  if (value.IsObject()) {
    Datum::Members members;
    for (const auto& [name, member] : value.members()) members.emplace_back(name, Shown(member));
    return Datum::Object(std::move(members));
  }
  return value;
}

}  // namespace lapse::query_tests
