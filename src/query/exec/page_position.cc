#include "query/exec/page_position.h"

#include "base/bytes.h"
#include "query/exec/value_list.h"

namespace lapse::query::exec {
namespace {

constexpr uint8_t kPositionVersion = 1;
constexpr uint64_t kNoLimit = ~uint64_t{0};

}  // namespace

Status MalformedContinuation() {
  return {Code::kInvalidArgument, "the continuation is malformed"};
}

std::string PagePosition::Encode() const {
  std::string bytes;
  bytes.push_back(static_cast<char>(kPositionVersion));
  bytes.push_back(static_cast<char>(kind));
  PutBigEndian(&bytes, offset);
  PutBigEndian(&bytes, limit.value_or(kNoLimit));
  PutBigEndian(&bytes, static_cast<uint64_t>(place.item));
  PutBigEndian(&bytes, place.row);
  if (kind == Kind::kStreamed) return bytes + feed;
  if (kind == Kind::kUnfinished) {
    bytes.push_back(static_cast<char>(walk.begun_again));
    bytes.push_back(walk.behind_row ? 1 : 0);
    for (const std::string* text : {&walk.after, &walk.seen}) PutText(&bytes, *text);
    if (!walk.behind_row) return bytes;
  }
  return bytes + EncodeValues(keys);
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
  if (!reader.ok() || version != kPositionVersion) return MalformedContinuation();
  if (position.kind == Kind::kStreamed) {
    position.feed = reader.rest();
  } else if (position.kind == Kind::kOrdered) {
    LAPSE_ASSIGN_OR_RETURN(position.keys, DecodeValues(reader.rest()));
  } else if (position.kind == Kind::kUnfinished) {
    Walk& walk = position.walk;
    walk.begun_again = reader.Byte();
    walk.behind_row = reader.Byte() != 0;
    for (std::string* text : {&walk.after, &walk.seen}) *text = reader.Text();
    if (!reader.ok()) return MalformedContinuation();
    if (walk.behind_row) {
      LAPSE_ASSIGN_OR_RETURN(position.keys, DecodeValues(reader.rest()));
    } else if (!reader.AtEnd()) {
      return MalformedContinuation();
    }
  } else {
    return MalformedContinuation();
  }
  return position;
}

}  // namespace lapse::query::exec
