#include "query/exec/positions/page_position.h"

#include "base/bytes.h"
#include "query/exec/positions/value_list.h"

namespace lapse::query::exec {
namespace {

constexpr uint8_t kPositionVersion = 1;
constexpr uint8_t kCutKeys = 0x80;  // beside the kind
constexpr uint64_t kNoLimit = ~uint64_t{0};

std::string EncodeKeys(const PagePosition& position) {
  std::string bytes;
  if (position.cut.has_value()) {
    for (const uint64_t half : position.cut->hash) PutBigEndian(&bytes, half);
    PutText(&bytes, {position.cut->is_cut.data(), position.cut->is_cut.size()});
  }
  return bytes + EncodeValues(position.keys);
}

Status DecodeKeys(ByteReader reader, bool are_cut, PagePosition* position) {
  if (are_cut) {
    CutKeys& cut = position->cut.emplace();
    for (uint64_t& half : cut.hash) half = reader.BigEndian<uint64_t>();
    const std::string_view is_cut = reader.Text();
    cut.is_cut.assign(is_cut.begin(), is_cut.end());
    if (!reader.ok()) return MalformedContinuation();
  }
  LAPSE_ASSIGN_OR_RETURN(position->keys, DecodeValues(reader.rest()));
  const bool fits = !are_cut || position->cut->is_cut.size() == position->keys.size();
  return fits ? Status::Ok() : MalformedContinuation();
}

}  // namespace

Status MalformedContinuation() {
  return {Code::kInvalidArgument, "the continuation is malformed"};
}

Status OfAnotherQuery() {
  return {Code::kInvalidArgument, "the continuation is not one of this query"};
}

std::string PagePosition::Encode() const {
  std::string bytes;
  bytes.push_back(static_cast<char>(kPositionVersion));
  bytes.push_back(static_cast<char>(static_cast<uint8_t>(kind) | (cut.has_value() ? kCutKeys : 0)));
  PutBigEndian(&bytes, offset);
  PutBigEndian(&bytes, limit.value_or(kNoLimit));
  PutBigEndian(&bytes, static_cast<uint64_t>(tie_break.item));
  PutBigEndian(&bytes, tie_break.row);
  if (kind == Kind::kStreamed) return bytes + feed;
  if (kind == Kind::kUnfinished) {
    bytes.push_back(static_cast<char>(scan.restarts));
    bytes.push_back(scan.behind_row ? 1 : 0);
    for (const std::string* text : {&scan.after, &scan.seen}) PutText(&bytes, *text);
    if (!scan.behind_row) return bytes;
  }
  return bytes + EncodeKeys(*this);
}

Result<PagePosition> PagePosition::Decode(std::string_view bytes) {
  ByteReader reader(bytes);
  PagePosition position;
  const uint8_t version = reader.Byte();
  const uint8_t kind = reader.Byte();
  const bool are_cut = (kind & kCutKeys) != 0;
  position.kind = static_cast<Kind>(kind & ~kCutKeys);
  position.offset = reader.BigEndian<uint64_t>();
  const auto limit = reader.BigEndian<uint64_t>();
  if (limit != kNoLimit) position.limit = limit;
  position.tie_break.item = reader.BigEndian<uint64_t>();
  position.tie_break.row = reader.BigEndian<uint32_t>();
  if (!reader.ok() || version != kPositionVersion) return MalformedContinuation();
  if (position.kind == Kind::kStreamed) {
    position.feed = reader.rest();
  } else if (position.kind == Kind::kOrdered) {
    LAPSE_RETURN_IF_ERROR(DecodeKeys(reader, are_cut, &position));
  } else if (position.kind == Kind::kUnfinished) {
    UnfinishedScan& scan = position.scan;
    scan.restarts = reader.Byte();
    scan.behind_row = reader.Byte() != 0;
    for (std::string* text : {&scan.after, &scan.seen}) *text = reader.Text();
    if (!reader.ok()) return MalformedContinuation();
    if (scan.behind_row) {
      LAPSE_RETURN_IF_ERROR(DecodeKeys(reader, are_cut, &position));
    } else if (!reader.AtEnd()) {
      return MalformedContinuation();
    }
  } else {
    return MalformedContinuation();
  }
  if (are_cut != position.cut.has_value()) return MalformedContinuation();
  return position;
}

}  // namespace lapse::query::exec
