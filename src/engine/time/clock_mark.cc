#include "engine/time/clock_mark.h"

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kMarkVersion = 1;
constexpr uint8_t kTestClockFlag = 1;
constexpr uint8_t kFrozenFlag = 2;
constexpr uint8_t kHeldFlag = 4;
constexpr uint8_t kKnownFlags = kTestClockFlag | kFrozenFlag | kHeldFlag;

Result<std::optional<ttl::StoreTimeMark>> Decode(std::string_view bytes) {
  ByteReader reader(bytes);
  uint8_t version = reader.Byte();
  uint8_t flags = reader.Byte();
  ttl::StoreTimeMark mark;
  mark.high_water_ms = static_cast<int64_t>(reader.LittleEndian<uint64_t>());
  mark.test_offset_ms = static_cast<int64_t>(reader.LittleEndian<uint64_t>());
  mark.test_clock = (flags & kTestClockFlag) != 0;
  mark.frozen = (flags & kFrozenFlag) != 0;
  mark.held = (flags & kHeldFlag) != 0;
  const bool known = version == kMarkVersion && (flags & ~kKnownFlags) == 0;
  if (!reader.AtEnd() || !known) return Status(Code::kCorruption, "malformed clock record");
  return std::optional(mark);
}

std::string Encode(const ttl::StoreTimeMark& mark) {
  std::string bytes;
  bytes.push_back(static_cast<char>(kMarkVersion));
  int flags = (mark.test_clock ? kTestClockFlag : 0) | (mark.frozen ? kFrozenFlag : 0) | (mark.held ? kHeldFlag : 0);
  bytes.push_back(static_cast<char>(flags));
  PutLittleEndian(&bytes, static_cast<uint64_t>(mark.high_water_ms));
  PutLittleEndian(&bytes, static_cast<uint64_t>(mark.test_offset_ms));
  return bytes;
}

}  // namespace

Result<std::optional<ttl::StoreTimeMark>> ClockMark::Load() const {
  if (slot_ != nullptr && !slot_->value().empty()) return Decode(slot_->value());
  store::PinnedValue value;
  Status found = shard_->Get(kMetaFamily, ClockKey(), &value);
  if (found.code() == Code::kNotFound) return std::optional<ttl::StoreTimeMark>();
  LAPSE_RETURN_IF_ERROR(found);
  return Decode(value.view());
}

Status ClockMark::Save(const ttl::StoreTimeMark& mark) const {
  if (slot_ != nullptr) return slot_->Write(Encode(mark));
  store::Batch batch;
  batch.Put(kMetaFamily, ClockKey(), Encode(mark));
  return shard_->Write(batch, store::Durability::kSync, store::Room::kReserve);
}

}  // namespace lapse::engine
