// The values of the reference: a plain tree with its own rules, so that a mistake in src/query/values shows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "doc/value.h"

namespace lapse::query_tests {

class Datum {
 public:
  // In the order of ORDER BY.
  enum class Kind { kUndefined, kNull, kBool, kNumber, kString, kArray, kObject };
  using Members = std::vector<std::pair<std::string, Datum>>;

  Datum() = default;  // undefined
  static Datum Null();
  static Datum Bool(bool value);
  static Datum Integer(int64_t value);
  static Datum Real(double value);
  // A computed number: a whole one below 2^53 is an integer.
  static Datum Computed(double value);
  static Datum String(std::string text);
  static Datum Array(std::vector<Datum> elements);
  static Datum Object(Members members);
  static Datum FromBson(doc::Value value);
  // One JSON value of any kind.
  static Datum FromJson(std::string_view json);

  Kind kind() const { return kind_; }
  bool Is(Kind kind) const { return kind_ == kind; }
  bool IsUndefined() const { return kind_ == Kind::kUndefined; }
  bool IsNumber() const { return kind_ == Kind::kNumber; }
  bool IsString() const { return kind_ == Kind::kString; }
  bool IsArray() const { return kind_ == Kind::kArray; }
  bool IsObject() const { return kind_ == Kind::kObject; }
  bool IsTrue() const { return kind_ == Kind::kBool && integer_ != 0; }
  bool IsFalse() const { return kind_ == Kind::kBool && integer_ == 0; }

  bool is_integer() const { return is_integer_; }
  int64_t integer() const { return integer_; }
  double AsDouble() const { return is_integer_ ? static_cast<double>(integer_) : real_; }
  // Holds every integer and every double exactly.
  long double Exact() const { return is_integer_ ? static_cast<long double>(integer_) : real_; }
  // Returns the number as an integer, if it is whole: both 5 and 5.0 are.
  std::optional<int64_t> Whole() const;
  const std::string& text() const { return tree_->text; }
  const std::vector<Datum>& elements() const { return tree_->elements; }
  const Members& members() const { return tree_->members; }

  // Returns undefined unless this is an object with that name, or an array with enough elements.
  Datum At(std::string_view name) const;
  Datum At(int64_t index) const;

  // Returns JSON, or the word undefined.
  std::string ToText() const;

 private:
  struct Tree {
    std::string text;
    std::vector<Datum> elements;
    Members members;
  };
  explicit Datum(Kind kind) : kind_(kind) {}

  Kind kind_ = Kind::kUndefined;
  bool is_integer_ = false;
  int64_t integer_ = 0;
  double real_ = 0;
  std::shared_ptr<const Tree> tree_;
};

// Compares as ORDER BY does: below 0, 0, above 0. Equal are NaN and NaN, 1 and 1.0, and objects that differ only in the
// order of members.
int Order(const Datum& a, const Datum& b);
inline bool Same(const Datum& a, const Datum& b) {
  return Order(a, b) == 0;
}
// Equal and written the same: the form of numbers and the order of members count. The two zeros are identical.
bool Identical(const Datum& a, const Datum& b);
// The value as an answer shows it, where NaN and infinities are strings.
Datum Shown(const Datum& value);

}  // namespace lapse::query_tests
