#include "engine/clock_mark.h"

#include <string>

#include "base/bytes.h"
#include "engine/keys.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kVersion = 1;
constexpr uint8_t kTestClockFlag = 1;
constexpr uint8_t kFrozenFlag = 2;
constexpr uint8_t kHeldFlag = 4;

}  // namespace

Result<std::optional<ttl::StoreTimeMark>> LoadClockMark(store::Shard* shard) {
  store::PinnedValue value;
  Status found = shard->Get(kMetaFamily, ClockKey(), &value);
  if (found.code() == Code::kNotFound) return std::optional<ttl::StoreTimeMark>();
  LAPSE_RETURN_IF_ERROR(found);
  ByteReader reader(value.view());
  uint8_t version = reader.Byte();
  uint8_t flags = reader.Byte();
  ttl::StoreTimeMark mark;
  mark.high_water_ms = static_cast<int64_t>(reader.LittleEndian<uint64_t>());
  mark.test_offset_ms = static_cast<int64_t>(reader.LittleEndian<uint64_t>());
  mark.test_clock = (flags & kTestClockFlag) != 0;
  mark.frozen = (flags & kFrozenFlag) != 0;
  mark.held = (flags & kHeldFlag) != 0;
  if (!reader.AtEnd() || version != kVersion) return Status(Code::kCorruption, "malformed clock record");
  return std::optional(mark);
}

Status SaveClockMark(const ttl::StoreTimeMark& mark, store::Shard* shard, store::Durability durability) {
  std::string value;
  value.push_back(static_cast<char>(kVersion));
  int flags = (mark.test_clock ? kTestClockFlag : 0) | (mark.frozen ? kFrozenFlag : 0) | (mark.held ? kHeldFlag : 0);
  value.push_back(static_cast<char>(flags));
  PutLittleEndian(&value, static_cast<uint64_t>(mark.high_water_ms));
  PutLittleEndian(&value, static_cast<uint64_t>(mark.test_offset_ms));
  store::Batch batch;
  batch.Put(kMetaFamily, ClockKey(), value);
  // Expiry stands on the mark: it goes on while the disk is too full for others.
  return shard->Write(batch, durability, store::Room::kReserve);
}

Status ResetClockMark(store::Shard* shard, int64_t now_ms) {
  LAPSE_ASSIGN_OR_RETURN(std::optional<ttl::StoreTimeMark> mark, LoadClockMark(shard));
  ttl::StoreTimeMark repaired;
  repaired.high_water_ms = now_ms;
  repaired.test_clock = mark.has_value() && mark->test_clock;
  return SaveClockMark(repaired, shard, store::Durability::kSync);
}

}  // namespace lapse::engine
