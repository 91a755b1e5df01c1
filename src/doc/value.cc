#include "doc/value.h"

#include <cassert>
#include <cstring>

#include "doc/array_index.h"
#include "doc/bson_sizes.h"
#include "doc/path.h"

namespace lapse::doc {
namespace {

template <typename T>
T Load(const char* data) {
  T value;
  std::memcpy(&value, data, sizeof(value));
  return value;
}

size_t Length(const char* data) {
  return static_cast<uint32_t>(Load<int32_t>(data));
}

// How many bytes a value of this type takes, the bytes after its name being `data`.
size_t SizeOf(Type type, const char* data) {
  switch (type) {
    case Type::kBool: return 1;
    case Type::kInt32: return sizeof(int32_t);
    case Type::kDouble:
    case Type::kDate:
    case Type::kTimestamp:
    case Type::kInt64: return sizeof(int64_t);
    case Type::kObjectId: return kObjectIdSize;
    case Type::kDecimal128: return kDecimal128Size;
    case Type::kString:
    case Type::kCode:
    case Type::kSymbol: return kLengthSize + Length(data);
    case Type::kObject:
    case Type::kArray:
    case Type::kCodeWithScope: return Length(data);
    case Type::kBinary: return kLengthSize + 1 + Length(data);
    case Type::kDbPointer: return kLengthSize + Length(data) + kObjectIdSize;
    case Type::kRegex: {
      size_t pattern = std::strlen(data) + 1;
      return pattern + std::strlen(data + pattern) + 1;
    }
    case Type::kMissing:
    case Type::kUndefined:
    case Type::kNull:
    case Type::kMaxKey:
    case Type::kMinKey: return 0;
  }
  assert(false && "a type that Validate refuses");
  return 0;
}

// By position and not by the stored names: other writers' arrays may carry any names.
Value FindIndex(std::string_view array, size_t index) {
  Reader reader(array);
  while (auto element = reader.Next()) {
    if (index-- == 0) return element->value;
  }
  return {};
}

Value Step(Value from, std::string_view name) {
  if (from.type() == Type::kObject) return Find(from.AsDocument(), name);
  if (from.type() != Type::kArray) return {};
  auto index = ArrayIndex(name);
  return index ? FindIndex(from.AsDocument(), *index) : Value();
}

}  // namespace

double Value::AsDouble() const {
  if (type_ == Type::kDouble) return Load<double>(raw_.data());
  return static_cast<double>(AsInt64());
}

int32_t Value::AsInt32() const {
  assert(type_ == Type::kInt32);
  return Load<int32_t>(raw_.data());
}

int64_t Value::AsInt64() const {
  assert(type_ == Type::kInt64 || type_ == Type::kInt32 || type_ == Type::kDate);
  return type_ == Type::kInt32 ? Load<int32_t>(raw_.data()) : Load<int64_t>(raw_.data());
}

bool Value::AsBool() const {
  assert(type_ == Type::kBool);
  return raw_[0] != 0;
}

std::string_view Value::AsString() const {
  assert(type_ == Type::kString || type_ == Type::kSymbol || type_ == Type::kCode);
  return raw_.substr(kLengthSize, raw_.size() - kLengthSize - 1);
}

std::string_view Value::AsDocument() const {
  assert(type_ == Type::kObject || type_ == Type::kArray);
  return raw_;
}

std::optional<int64_t> Value::AsWholeNumber() const {
  if (type_ == Type::kInt32 || type_ == Type::kInt64) return AsInt64();
  if (type_ != Type::kDouble) return std::nullopt;
  constexpr double kTwoTo63 = 9223372036854775808.0;
  double number = AsDouble();
  // The range first: converting a double that does not fit is undefined. NaN fails this test too.
  if (!(number >= -kTwoTo63 && number < kTwoTo63)) return std::nullopt;
  auto whole = static_cast<int64_t>(number);
  if (static_cast<double>(whole) != number) return std::nullopt;
  return whole;
}

Reader::Reader(std::string_view document) : rest_(document.substr(kLengthSize, document.size() - kLengthSize - 1)) {}

std::optional<Element> Reader::Next() {
  if (rest_.empty()) return std::nullopt;
  auto type = static_cast<Type>(rest_[0]);
  const char* name = rest_.data() + 1;
  size_t name_size = std::strlen(name);
  const char* data = name + name_size + 1;
  size_t size = SizeOf(type, data);
  rest_.remove_prefix(1 + name_size + 1 + size);
  return Element{{name, name_size}, Value(type, {data, size})};
}

Value Find(std::string_view document, std::string_view name) {
  Reader reader(document);
  while (auto element = reader.Next()) {
    if (element->name == name) return element->value;
  }
  return {};
}

Value FindPath(std::string_view document, const Path& path) {
  Value value(Type::kObject, document);
  for (const std::string& name : path.names()) {
    value = Step(value, name);
    if (value.missing()) break;
  }
  return value;
}

}  // namespace lapse::doc
