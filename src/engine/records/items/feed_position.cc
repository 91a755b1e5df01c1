#include "engine/records/items/feed_position.h"

#include "base/bytes.h"

namespace lapse::engine {

std::string FeedPosition::Encode() const {
  std::string bytes(1, static_cast<char>(order));
  PutBigEndian(&bytes, item);
  if (order == Order::kMembers) {
    PutText(&bytes, key.epk);
    bytes.append(key.value);
  }
  return bytes;
}

Result<FeedPosition> FeedPosition::Decode(std::string_view bytes) {
  ByteReader reader(bytes);
  FeedPosition position;
  position.order = static_cast<Order>(reader.Byte());
  position.item = reader.BigEndian<ItemNumber>();
  if (position.order == Order::kMembers) {
    position.key.epk = reader.Text();
    position.key.value = reader.rest();
  }
  const bool whole = position.order == Order::kRecords ? reader.AtEnd() : reader.ok();
  const bool known = position.order == Order::kRecords || position.order == Order::kMembers;
  if (!known || !whole) return Status(Code::kInvalidArgument, "the position is none of a feed");
  return position;
}

}  // namespace lapse::engine
