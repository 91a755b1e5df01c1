#include <cstring>

#include "doc/extended_json.h"
#include "doc/json.h"
#include "doc/json_out.h"

namespace lapse::doc {
namespace {

// Quotes, colons and commas make JSON slightly longer than BSON, which has length fields instead.
size_t ExpectedSize(std::string_view document) {
  return document.size() + document.size() / 4 + 32;
}

void PutValue(Value value, JsonOut* out);

void PutMembers(std::string_view document, SkipName skip, JsonOut* out) {
  bool first = true;
  Reader reader(document);
  while (auto element = reader.Next()) {
    if (skip != nullptr && skip(element->name)) continue;
    if (!first) out->Put(',');
    first = false;
    out->PutString(element->name);
    out->Put(':');
    PutValue(element->value, out);
  }
}

void PutObject(std::string_view document, JsonOut* out) {
  out->Put('{');
  PutMembers(document, nullptr, out);
  out->Put('}');
}

void PutArray(std::string_view array, JsonOut* out) {
  out->Put('[');
  bool first = true;
  Reader reader(array);
  while (auto element = reader.Next()) {
    if (!first) out->Put(',');
    first = false;
    PutValue(element->value, out);
  }
  out->Put(']');
}

// Layout: total length, string, document.
void PutCodeWithScope(std::string_view raw, JsonOut* out) {
  raw.remove_prefix(sizeof(int32_t));
  int32_t code_size;
  std::memcpy(&code_size, raw.data(), sizeof(code_size));
  std::string_view code = raw.substr(0, sizeof(code_size) + static_cast<size_t>(code_size));
  out->Put("{\"$code\":");
  out->PutString(Value(Type::kCode, code).AsString());
  out->Put(",\"$scope\":");
  PutObject(raw.substr(code.size()), out);
  out->Put('}');
}

void PutValue(Value value, JsonOut* out) {
  switch (value.type()) {
    case Type::kString: return out->PutString(value.AsString());
    case Type::kInt32:
    case Type::kInt64: return out->PutInteger(value.AsInt64());
    case Type::kDouble: return out->PutDouble(value.AsDouble());
    case Type::kBool: return out->Put(value.AsBool() ? "true" : "false");
    case Type::kMissing:
    case Type::kNull: return out->Put("null");
    case Type::kObject: return PutObject(value.AsDocument(), out);
    case Type::kArray: return PutArray(value.AsDocument(), out);
    case Type::kCodeWithScope: return PutCodeWithScope(value.raw(), out);
    default: return PutExtended(value, out);
  }
}

}  // namespace

void ObjectToJson(std::string_view document, std::string* json) {
  JsonOut out(json, ExpectedSize(document));
  PutObject(document, &out);
}

void ArrayToJson(std::string_view array, std::string* json) {
  JsonOut out(json, ExpectedSize(array));
  PutArray(array, &out);
}

void ValueToJson(Value value, std::string* json) {
  JsonOut out(json, ExpectedSize(value.raw()));
  PutValue(value, &out);
}

void StringToJson(std::string_view text, std::string* json) {
  JsonOut out(json, text.size() + 2);
  out.PutString(text);
}

void MembersToJson(std::string_view document, SkipName skip, std::string* json) {
  JsonOut out(json, ExpectedSize(document));
  PutMembers(document, skip, &out);
}

}  // namespace lapse::doc
