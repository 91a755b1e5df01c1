// The value of an expression. It is small and copied freely, and owns nothing.
//
// Strings, arrays and objects are views of the bytes of a stored document, or of bytes that an expression put into an
// Arena. Arrays and objects are BSON in both cases, so that readers cannot tell a constructed object from a stored one.
// The bytes must outlive the value.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>

#include "doc/value.h"

namespace lapse::query {

// The kinds of values that JSON has, and undefined for no value. BSON-only types get kinds of their own when an API
// needs them.
enum class Kind : uint8_t { kUndefined, kNull, kBool, kInt64, kDouble, kString, kArray, kObject };

class Value {
 public:
  constexpr Value() : integer_(0) {}  // undefined

  static constexpr Value Null() { return Value(Kind::kNull, 0); }
  static constexpr Value Bool(bool value) { return Value(Kind::kBool, value ? 1 : 0); }
  static constexpr Value Int64(int64_t value) { return Value(Kind::kInt64, value); }
  static constexpr Value Double(double value) { return Value(value); }
  static constexpr Value String(std::string_view text) { return Value(Kind::kString, text); }
  // The bytes are one BSON document, starting with its length.
  static constexpr Value Array(std::string_view bson) { return Value(Kind::kArray, bson); }
  static constexpr Value Object(std::string_view bson) { return Value(Kind::kObject, bson); }
  // A BSON type that JSON does not have becomes undefined.
  static Value FromBson(doc::Value value) {
    switch (value.type()) {
      case doc::Type::kString: return String(value.raw().substr(sizeof(int32_t), value.raw().size() - 5));
      case doc::Type::kInt32: return Int64(Load<int32_t>(value.raw().data()));
      case doc::Type::kInt64: return Int64(Load<int64_t>(value.raw().data()));
      case doc::Type::kDouble: return Double(Load<double>(value.raw().data()));
      case doc::Type::kBool: return Bool(value.raw()[0] != 0);
      case doc::Type::kNull: return Null();
      case doc::Type::kObject: return Object(value.raw());
      case doc::Type::kArray: return Array(value.raw());
      default: return {};
    }
  }

  constexpr Kind kind() const { return kind_; }
  constexpr bool IsUndefined() const { return kind_ == Kind::kUndefined; }
  constexpr bool IsNull() const { return kind_ == Kind::kNull; }
  constexpr bool IsBool() const { return kind_ == Kind::kBool; }
  constexpr bool IsNumber() const { return kind_ == Kind::kInt64 || kind_ == Kind::kDouble; }
  constexpr bool IsString() const { return kind_ == Kind::kString; }
  constexpr bool IsArray() const { return kind_ == Kind::kArray; }
  constexpr bool IsObject() const { return kind_ == Kind::kObject; }
  constexpr bool IsTrue() const { return kind_ == Kind::kBool && integer_ != 0; }

  // Each of these requires the right kind: calling it on another kind is a bug.
  constexpr bool AsBool() const {
    assert(IsBool());
    return integer_ != 0;
  }
  constexpr int64_t AsInt64() const {
    assert(kind_ == Kind::kInt64);
    return integer_;
  }
  // Accepts both kinds of numbers. An integer beyond 2^53 is rounded.
  constexpr double AsDouble() const {
    assert(IsNumber());
    return kind_ == Kind::kDouble ? double_ : static_cast<double>(integer_);
  }
  constexpr std::string_view AsString() const {
    assert(IsString());
    return {bytes_, size_};
  }
  // Returns the BSON bytes of an array or an object.
  constexpr std::string_view AsDocument() const {
    assert(IsArray() || IsObject());
    return {bytes_, size_};
  }

 private:
  constexpr Value(Kind kind, int64_t value) : kind_(kind), integer_(value) {}
  constexpr explicit Value(double value) : kind_(Kind::kDouble), double_(value) {}
  constexpr Value(Kind kind, std::string_view bytes)
      : kind_(kind), size_(static_cast<uint32_t>(bytes.size())), bytes_(bytes.data()) {}

  template <typename T>
  static T Load(const char* data) {
    T value;
    std::memcpy(&value, data, sizeof(value));
    return value;
  }

  Kind kind_ = Kind::kUndefined;
  uint32_t size_ = 0;
  union {
    int64_t integer_;  // kBool, kInt64
    double double_;
    const char* bytes_;
  };
};

static_assert(sizeof(Value) == 16 && std::is_trivially_copyable_v<Value>, "values are copied in the hottest loops");

// Iterates over the elements of an array, or the values of an object: `while (auto element = elements.Next())`.
class Elements {
 public:
  explicit Elements(Value container) : reader_(container.AsDocument()) {}
  std::optional<Value> Next() {
    auto element = reader_.Next();
    if (!element) return std::nullopt;
    return Value::FromBson(element->value);
  }

 private:
  doc::Reader reader_;
};

// Undefined unless `from` is an object that has the name.
Value Property(Value from, std::string_view name);
// Undefined unless `from` is an array that has this element. Counts positions and ignores the names in the bytes.
Value Element(Value from, int64_t index);
// Returns the number of elements of an array, or of members of an object.
size_t CountOf(Value container);

}  // namespace lapse::query
