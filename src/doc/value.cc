#include "doc/value.h"

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
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

// The size of a value: `fixed` bytes, plus the length that it begins with if it has one.
struct Size {
  uint8_t fixed = 0;
  bool has_length = false;
};

constexpr std::array<Size, 256> SizesOfTypes() {
  std::array<Size, 256> sizes{};
  const auto set = [&](Type type, size_t fixed, bool has_length) {
    sizes[static_cast<uint8_t>(type)] = {static_cast<uint8_t>(fixed), has_length};
  };
  set(Type::kBool, 1, false);
  set(Type::kInt32, sizeof(int32_t), false);
  for (Type type : {Type::kDouble, Type::kDate, Type::kTimestamp, Type::kInt64}) set(type, sizeof(int64_t), false);
  set(Type::kObjectId, kObjectIdSize, false);
  set(Type::kDecimal128, kDecimal128Size, false);
  for (Type type : {Type::kString, Type::kCode, Type::kSymbol}) set(type, kLengthSize, true);
  for (Type type : {Type::kObject, Type::kArray, Type::kCodeWithScope}) set(type, 0, true);
  set(Type::kBinary, kLengthSize + 1, true);
  set(Type::kDbPointer, kLengthSize + kObjectIdSize, true);
  return sizes;
}

constexpr std::array<Size, 256> kSizes = SizesOfTypes();

// Returns the size of a value of this type. `data` is what follows its name.
size_t SizeOf(Type type, const char* data) {
  if (type == Type::kRegex) {
    const size_t pattern = std::strlen(data) + 1;
    return pattern + std::strlen(data + pattern) + 1;
  }
  const Size size = kSizes[static_cast<uint8_t>(type)];
  return size.fixed + (size.has_length ? Length(data) : 0);
}

// Like strlen. Names are short and every look-up passes many of them, so this checks eight bytes at a time without a
// call.
size_t NameSize(const char* name, const char* document_end) {
  static_assert(std::endian::native == std::endian::little);
  constexpr uint64_t kOnes = 0x0101'0101'0101'0101;
  constexpr uint64_t kHighBits = 0x8080'8080'8080'8080;
  const char* at = name;
  for (; document_end - at >= static_cast<ptrdiff_t>(sizeof(uint64_t)); at += sizeof(uint64_t)) {
    const auto bytes = Load<uint64_t>(at);
    // The lowest set bit is in the first zero byte.
    if (const uint64_t zeros = (bytes - kOnes) & ~bytes & kHighBits; zeros != 0) {
      return static_cast<size_t>(at - name) + static_cast<size_t>(std::countr_zero(zeros)) / 8;
    }
  }
  return static_cast<size_t>(at - name) + std::strlen(at);
}

// Returns where the elements of a document end. That byte is also zero.
const char* EndOf(std::string_view document) {
  return document.data() + document.size() - 1;
}

const char* EndOf(const Element& element) {
  return element.value.raw().data() + element.value.raw().size();
}

inline Element ElementAt(const char* at, const char* document_end) {
  const auto type = static_cast<Type>(*at);
  const char* const name = at + 1;
  const size_t name_size = NameSize(name, document_end);
  const char* const data = name + name_size + 1;
  return {{name, name_size}, Value(type, {data, SizeOf(type, data)})};
}

// Selects by position rather than by stored name, since arrays from other writers may have any names.
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
  // Checks the range first, since converting a double that does not fit is undefined. NaN fails this test too.
  if (!(number >= -kTwoTo63 && number < kTwoTo63)) return std::nullopt;
  auto whole = static_cast<int64_t>(number);
  if (static_cast<double>(whole) != number) return std::nullopt;
  return whole;
}

Reader::Reader(std::string_view document) : next_(document.data() + kLengthSize), end_(EndOf(document)) {}

std::optional<Element> Reader::Next() {
  if (next_ >= end_) return std::nullopt;
  const Element element = ElementAt(next_, end_);
  next_ = EndOf(element);
  return element;
}

Value Find(std::string_view document, std::string_view name) {
  const char* const end = EndOf(document);
  const char first = name.empty() ? '\0' : name.front();
  for (const char* next = document.data() + kLengthSize; next < end;) {
    const Element element = ElementAt(next, end);
    // Most names differ in length or first letter. Only the others are compared with a call.
    const bool may_be_it = element.name.size() == name.size() && *element.name.data() == first;
    if (may_be_it && element.name == name) return element.value;
    next = EndOf(element);
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
