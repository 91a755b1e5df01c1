#include "query/exec/page_position.h"

#include "base/bytes.h"
#include "doc/json.h"
#include "query/values/builder.h"

namespace lapse::query::exec {
namespace {

constexpr uint8_t kVersion = 1;
constexpr uint64_t kNoLimit = ~uint64_t{0};
constexpr std::string_view kKeyName = "k";
constexpr int kKeyDepthMax = 256;  // documents have less

Status Malformed() {
  return {Code::kInvalidArgument, "the continuation is malformed"};
}

std::string EncodeKeys(const std::vector<Value>& keys) {
  Arena arena(Arena::kBudgetMax);
  std::vector<Value> wrapped;
  for (const Value& key : keys) {
    ObjectBuilder object(&arena);
    object.Add(kKeyName, key);
    wrapped.push_back(object.Finish());
  }
  ArrayBuilder array(&arena);
  for (const Value& key : wrapped) array.Append(key);
  return std::string(array.Finish().AsDocument());
}

Result<std::vector<Value>> DecodeKeys(std::string_view bytes) {
  LAPSE_RETURN_IF_ERROR(doc::Validate(bytes, kKeyDepthMax));
  std::vector<Value> keys;
  Elements elements(Value::Array(bytes));
  while (std::optional<Value> element = elements.Next()) {
    if (!element->IsObject()) return Malformed();
    keys.push_back(Property(*element, kKeyName));
  }
  return keys;
}

}  // namespace

std::string PagePosition::Encode() const {
  std::string bytes;
  bytes.push_back(static_cast<char>(kVersion));
  bytes.push_back(static_cast<char>(kind));
  PutBigEndian(&bytes, offset);
  PutBigEndian(&bytes, limit.value_or(kNoLimit));
  PutBigEndian(&bytes, static_cast<uint64_t>(place.item));
  PutBigEndian(&bytes, place.row);
  return bytes + (kind == Kind::kStreamed ? feed : EncodeKeys(keys));
}

Result<PagePosition> PagePosition::Decode(std::string_view bytes) {
  ByteReader reader(bytes);
  PagePosition position;
  const uint8_t version = reader.Byte();
  position.kind = static_cast<Kind>(reader.Byte());
  position.offset = reader.BigEndian<uint64_t>();
  const auto limit = reader.BigEndian<uint64_t>();
  if (limit != kNoLimit) position.limit = limit;
  position.place.item = reader.BigEndian<uint64_t>();
  position.place.row = reader.BigEndian<uint32_t>();
  if (!reader.ok() || version != kVersion) return Malformed();
  if (position.kind == Kind::kStreamed) {
    position.feed = reader.rest();
  } else if (position.kind == Kind::kOrdered) {
    LAPSE_ASSIGN_OR_RETURN(position.keys, DecodeKeys(reader.rest()));
  } else {
    return Malformed();
  }
  return position;
}

}  // namespace lapse::query::exec
