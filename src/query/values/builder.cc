#include "query/values/builder.h"

#include <charconv>
#include <cstring>
#include <limits>

namespace lapse::query {
namespace {

constexpr size_t kLengthSize = sizeof(int32_t);

template <typename T>
void Store(char* place, T value) {
  std::memcpy(place, &value, sizeof(value));
}

char* AppendHead(doc::Type type, std::string_view name, size_t value_size, ByteBuilder* out) {
  char* place = out->Grow(1 + name.size() + 1 + value_size);
  if (place == nullptr) return nullptr;
  *place++ = static_cast<char>(type);
  place += name.copy(place, name.size());
  *place++ = '\0';
  return place;
}

template <typename T>
void AppendFixed(doc::Type type, std::string_view name, T value, ByteBuilder* out) {
  if (char* place = AppendHead(type, name, sizeof(value), out)) Store(place, value);
}

// Like the JSON parser: int32 where it fits.
void AppendInteger(std::string_view name, int64_t value, ByteBuilder* out) {
  if (value >= std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max()) {
    AppendFixed(doc::Type::kInt32, name, static_cast<int32_t>(value), out);
  } else {
    AppendFixed(doc::Type::kInt64, name, value, out);
  }
}

void AppendString(std::string_view name, std::string_view text, ByteBuilder* out) {
  char* place = AppendHead(doc::Type::kString, name, kLengthSize + text.size() + 1, out);
  if (place == nullptr) return;
  Store(place, static_cast<int32_t>(text.size() + 1));
  place += kLengthSize;
  place += text.copy(place, text.size());
  *place = '\0';
}

void AppendDocument(doc::Type type, std::string_view name, std::string_view bson, ByteBuilder* out) {
  if (char* place = AppendHead(type, name, bson.size(), out)) bson.copy(place, bson.size());
}

void AppendElement(std::string_view name, Value value, ByteBuilder* out) {
  switch (value.kind()) {
    case Kind::kUndefined: return;
    case Kind::kNull: AppendHead(doc::Type::kNull, name, 0, out); return;
    case Kind::kBool: return AppendFixed(doc::Type::kBool, name, static_cast<char>(value.AsBool() ? 1 : 0), out);
    case Kind::kInt64: return AppendInteger(name, value.AsInt64(), out);
    case Kind::kDouble: return AppendFixed(doc::Type::kDouble, name, value.AsDouble(), out);
    case Kind::kString: return AppendString(name, value.AsString(), out);
    case Kind::kArray: return AppendDocument(doc::Type::kArray, name, value.AsDocument(), out);
    case Kind::kObject: return AppendDocument(doc::Type::kObject, name, value.AsDocument(), out);
  }
}

// Returns the bytes of the whole document, or nothing if there was no room for them.
std::string_view Close(const Arena& arena, ByteBuilder* bytes) {
  bytes->Append('\0');
  if (arena.exhausted()) return {};
  Store(bytes->data(), static_cast<int32_t>(bytes->size()));
  return bytes->view();
}

}  // namespace

ArrayBuilder::ArrayBuilder(Arena* arena) : arena_(arena), bytes_(arena) {
  bytes_.Grow(kLengthSize);
}

void ArrayBuilder::Append(Value value) {
  if (value.IsUndefined()) return;
  char name[std::numeric_limits<uint32_t>::digits10 + 1];
  const char* end = std::to_chars(name, name + sizeof(name), count_).ptr;
  AppendElement({name, static_cast<size_t>(end - name)}, value, &bytes_);
  ++count_;
}

Value ArrayBuilder::Finish() {
  const std::string_view bson = Close(*arena_, &bytes_);
  return bson.empty() ? Value() : Value::Array(bson);
}

ObjectBuilder::ObjectBuilder(Arena* arena) : arena_(arena), bytes_(arena) {
  bytes_.Grow(kLengthSize);
}

void ObjectBuilder::Add(std::string_view name, Value value) {
  bad_name_ = bad_name_ || name.find('\0') != std::string_view::npos;
  if (!bad_name_) AppendElement(name, value, &bytes_);
}

Value ObjectBuilder::Finish() {
  if (bad_name_) return {};
  const std::string_view bson = Close(*arena_, &bytes_);
  return bson.empty() ? Value() : Value::Object(bson);
}

}  // namespace lapse::query
