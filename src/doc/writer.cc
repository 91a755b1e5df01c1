#include "doc/writer.h"

#include <cassert>
#include <cstring>
#include <limits>

#include "doc/bson_sizes.h"

namespace lapse::doc {
namespace {

template <typename T>
void Store(char* at, T value) {
  std::memcpy(at, &value, sizeof(value));
}

}  // namespace

// Grows the output once for the whole element. Returns where the caller must write the value.
char* Writer::AppendElement(Type type, std::string_view name, size_t value_size) {
  assert(name.find('\0') == std::string_view::npos);
  size_t start = out_->size();
  size_t header = 1 + name.size() + 1;
  out_->resize(start + header + value_size);
  char* at = out_->data() + start;
  *at = static_cast<char>(type);
  name.copy(at + 1, name.size());
  at[1 + name.size()] = '\0';
  return at + header;
}

void Writer::BeginDocument() {
  open_ = out_->size();
  out_->append(kLengthSize, '\0');
}

void Writer::BeginObject(std::string_view name) {
  AppendElement(Type::kObject, name, 0);
  Open();
}

void Writer::BeginArray(std::string_view name) {
  AppendElement(Type::kArray, name, 0);
  Open();
}

void Writer::Open() {
  size_t start = out_->size();
  out_->resize(start + kLengthSize);
  Store(out_->data() + start, static_cast<uint32_t>(start - open_));
  open_ = start;
}

void Writer::End() {
  out_->push_back('\0');
  char* length = out_->data() + open_;
  uint32_t to_parent;
  std::memcpy(&to_parent, length, sizeof(to_parent));
  Store(length, static_cast<int32_t>(out_->size() - open_));
  open_ -= to_parent;
}

void Writer::AppendDouble(std::string_view name, double value) {
  Store(AppendElement(Type::kDouble, name, sizeof(value)), value);
}

void Writer::AppendString(std::string_view name, std::string_view value) {
  char* at = AppendElement(Type::kString, name, kLengthSize);
  Store(at, static_cast<int32_t>(value.size() + 1));
  // Appends rather than grows and fills, which would write a long text twice.
  out_->append(value).push_back('\0');
}

void Writer::AppendBool(std::string_view name, bool value) {
  *AppendElement(Type::kBool, name, 1) = value ? 1 : 0;
}

void Writer::AppendNull(std::string_view name) {
  AppendElement(Type::kNull, name, 0);
}

void Writer::AppendInt32(std::string_view name, int32_t value) {
  Store(AppendElement(Type::kInt32, name, sizeof(value)), value);
}

void Writer::AppendInt64(std::string_view name, int64_t value) {
  Store(AppendElement(Type::kInt64, name, sizeof(value)), value);
}

void Writer::AppendInteger(std::string_view name, int64_t value) {
  if (value >= std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max()) {
    AppendInt32(name, static_cast<int32_t>(value));
  } else {
    AppendInt64(name, value);
  }
}

void Writer::AppendDocument(std::string_view name, std::string_view document) {
  AppendValue(name, Value(Type::kObject, document));
}

void Writer::AppendValue(std::string_view name, Value value) {
  assert(!value.missing());
  AppendElement(value.type(), name, 0);
  out_->append(value.raw());
}

}  // namespace lapse::doc
