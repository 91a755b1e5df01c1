// Documents are BSON (bsonspec.org 1.1), in one contiguous byte string: the canonical form for every API, with all
// types kept. These are views: they own nothing and must not outlive the bytes they look at.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lapse::doc {

enum class Type : uint8_t {
  kMissing = 0x00,  // no value at all; never in a document
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

// One value: its type and its bytes as BSON lays them out after the name. A value taken from a document that passed
// Validate, or that our own writer made, is well formed; nothing here checks again.
class Value {
 public:
  Value() = default;
  Value(Type type, std::string_view raw) : type_(type), raw_(raw) {}

  Type type() const { return type_; }
  std::string_view raw() const { return raw_; }
  bool missing() const { return type_ == Type::kMissing; }
  bool IsNumber() const { return type_ == Type::kDouble || type_ == Type::kInt32 || type_ == Type::kInt64; }

  // Each of these asks for the type first: calling it on another type is a bug.
  double AsDouble() const;              // kDouble, kInt32, kInt64
  int32_t AsInt32() const;              // kInt32
  int64_t AsInt64() const;              // kInt64, kInt32, kDate
  bool AsBool() const;                  // kBool
  std::string_view AsString() const;    // kString, kSymbol, kCode
  std::string_view AsDocument() const;  // kObject, kArray: the embedded document's bytes

  // The whole number this value is, when it is one and fits: 5, 5.0 and int64 5 all give 5.
  std::optional<int64_t> AsWholeNumber() const;

 private:
  Type type_ = Type::kMissing;
  std::string_view raw_;
};

struct Element {
  std::string_view name;
  Value value;

  // All of it as it stands in the document, its type first.
  std::string_view bytes() const {
    const char* const begin = name.data() - 1;
    return {begin, static_cast<size_t>(value.raw().data() + value.raw().size() - begin)};
  }
};

// Walks the elements of a well-formed document or array in order: `while (auto element = reader.Next())`.
class Reader {
 public:
  explicit Reader(std::string_view document);
  std::optional<Element> Next();

 private:
  const char* next_;
  const char* end_;
};

// The value under a top-level name, or a missing one. The first match counts.
Value Find(std::string_view document, std::string_view name);

// The value at a path of names; an array is entered by its decimal index ("0"). Builds nothing.
class Path;
Value FindPath(std::string_view document, const Path& path);

}  // namespace lapse::doc
