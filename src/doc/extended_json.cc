#include "doc/extended_json.h"

#include <cassert>
#include <cstring>

#include "base/base64.h"
#include "base/calendar.h"
#include "doc/bson_sizes.h"
#include "doc/decimal128.h"

namespace lapse::doc {
namespace {

// The relaxed form writes dates from 1970 to 9999 as text, and others as a number of milliseconds.
constexpr int64_t kTextDateEnd = 253402300800000;

void PutDate(int64_t milliseconds, JsonOut* out) {
  if (milliseconds >= 0 && milliseconds < kTextDateEnd) {
    out->Put("{\"$date\":\"");
    out->Put(Iso8601Date(milliseconds));
    out->Put("\"}");
    return;
  }
  out->Put("{\"$date\":{\"$numberLong\":\"");
  out->PutInteger(milliseconds);
  out->Put("\"}}");
}

void PutBinary(std::string_view raw, JsonOut* out) {
  // Subtype 2, the oldest one, repeats its length inside the data.
  constexpr char kOldSubtype = 2;
  std::string_view subtype = raw.substr(sizeof(int32_t), 1);
  std::string_view bytes = raw.substr(sizeof(int32_t) + 1);
  if (subtype[0] == kOldSubtype) bytes.remove_prefix(sizeof(int32_t));
  out->Put("{\"$binary\":{\"base64\":\"");
  out->Put(Base64(bytes));
  out->Put("\",\"subType\":\"");
  out->PutHex(subtype);
  out->Put("\"}}");
}

void PutObjectId(std::string_view raw, JsonOut* out) {
  out->Put("{\"$oid\":\"");
  out->PutHex(raw);
  out->Put("\"}");
}

void PutRegex(std::string_view raw, JsonOut* out) {
  size_t pattern_size = raw.find('\0');
  out->Put("{\"$regularExpression\":{\"pattern\":");
  out->PutString(raw.substr(0, pattern_size));
  out->Put(",\"options\":");
  out->PutString(raw.substr(pattern_size + 1, raw.size() - pattern_size - 2));
  out->Put("}}");
}

void PutDbPointer(std::string_view raw, JsonOut* out) {
  std::string_view name = raw.substr(0, raw.size() - kObjectIdSize);
  out->Put("{\"$dbPointer\":{\"$ref\":");
  out->PutString(Value(Type::kString, name).AsString());
  out->Put(",\"$id\":");
  PutObjectId(raw.substr(name.size()), out);
  out->Put("}}");
}

void PutTimestamp(std::string_view raw, JsonOut* out) {
  uint32_t increment;
  uint32_t seconds;
  std::memcpy(&increment, raw.data(), sizeof(increment));
  std::memcpy(&seconds, raw.data() + sizeof(increment), sizeof(seconds));
  out->Put("{\"$timestamp\":{\"t\":");
  out->PutInteger(seconds);
  out->Put(",\"i\":");
  out->PutInteger(increment);
  out->Put("}}");
}

void PutTagged(std::string_view opening, std::string_view text, JsonOut* out) {
  out->Put(opening);
  out->PutString(text);
  out->Put('}');
}

}  // namespace

void PutExtended(Value value, JsonOut* out) {
  switch (value.type()) {
    case Type::kBinary: return PutBinary(value.raw(), out);
    case Type::kUndefined: return out->Put("{\"$undefined\":true}");
    case Type::kObjectId: return PutObjectId(value.raw(), out);
    case Type::kDate: return PutDate(value.AsInt64(), out);
    case Type::kRegex: return PutRegex(value.raw(), out);
    case Type::kDbPointer: return PutDbPointer(value.raw(), out);
    case Type::kCode: return PutTagged("{\"$code\":", value.AsString(), out);
    case Type::kSymbol: return PutTagged("{\"$symbol\":", value.AsString(), out);
    case Type::kTimestamp: return PutTimestamp(value.raw(), out);
    case Type::kDecimal128: return PutTagged("{\"$numberDecimal\":", Decimal128ToString(value.raw()), out);
    case Type::kMaxKey: return out->Put("{\"$maxKey\":1}");
    case Type::kMinKey: return out->Put("{\"$minKey\":1}");
    default: assert(false && "a type that JSON has"); return;
  }
}

}  // namespace lapse::doc
