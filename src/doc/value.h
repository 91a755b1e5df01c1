// Documents are BSON (bsonspec.org 1.1) in one contiguous byte string. It is the canonical form for every API and keeps
// all types. The classes here are views: they own nothing and must not outlive the bytes they point to.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lapse::doc {

enum class Type : uint8_t {
  kMissing = 0x00,  // no value; never in a document
  kDouble = 0x01,
  kString = 0x02,
  kObject = 0x03,
  kArray = 0x04,
  kBinary = 0x05,
  kUndefined = 0x06,  // deprecated in BSON, still valid
  kObjectId = 0x07,
  kBool = 0x08,
  kDate = 0x09,
  kNull = 0x0A,
  kRegex = 0x0B,
  kDbPointer = 0x0C,
  kCode = 0x0D,
  kSymbol = 0x0E,
  kCodeWithScope = 0x0F,
  kInt32 = 0x10,
  kTimestamp = 0x11,
  kInt64 = 0x12,
  kDecimal128 = 0x13,
  kMaxKey = 0x7F,
  kMinKey = 0xFF,
};

// One value: its type, and its bytes as they follow the name in BSON. Values must be well formed, because nothing here
// checks them again. Those of a document that passed Validate or that our Writer made are.
class Value {
 public:
  Value() = default;
  Value(Type type, std::string_view raw) : type_(type), raw_(raw) {}

  Type type() const { return type_; }
  std::string_view raw() const { return raw_; }
  bool missing() const { return type_ == Type::kMissing; }
  bool IsNumber() const { return type_ == Type::kDouble || type_ == Type::kInt32 || type_ == Type::kInt64; }

  // Check the type first: calling one of these on another type is a bug.
  double AsDouble() const;              // kDouble, kInt32, kInt64
  int32_t AsInt32() const;              // kInt32
  int64_t AsInt64() const;              // kInt64, kInt32, kDate
  bool AsBool() const;                  // kBool
  std::string_view AsString() const;    // kString, kSymbol, kCode
  std::string_view AsDocument() const;  // kObject, kArray: the embedded document's bytes

  // Returns the integer this value represents, if it is one and fits: 5, 5.0 and int64 5 all return 5.
  std::optional<int64_t> AsWholeNumber() const;

 private:
  Type type_ = Type::kMissing;
  std::string_view raw_;
};

struct Element {
  std::string_view name;
  Value value;

  // The whole element as stored in the document, starting with its type.
  std::string_view bytes() const {
    const char* const begin = name.data() - 1;
    return {begin, static_cast<size_t>(value.raw().data() + value.raw().size() - begin)};
  }
};

// Iterates over the elements of a well-formed document or array: `while (auto element = reader.Next())`.
class Reader {
 public:
  explicit Reader(std::string_view document);
  std::optional<Element> Next();

 private:
  const char* next_;
  const char* end_;
};

// Returns the value under a top-level name, or a missing one. If a name occurs twice, returns the first.
Value Find(std::string_view document, std::string_view name);

// Returns the value at a path. Array elements are selected by decimal index ("0"). Allocates nothing.
class Path;
Value FindPath(std::string_view document, const Path& path);

}  // namespace lapse::doc
