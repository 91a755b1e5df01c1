#include "engine/partition/changes/held_bodies.h"

#include <utility>

#include "base/bytes.h"
#include "engine/partition/transaction/transaction.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kHeldBodiesVersion = 1;

// A retained log can outlast many sweeps. Beyond this number every second one is dropped, and what it held is released
// with the next one.
constexpr size_t kHeldMax = 64;

void Put(const ReleasedBodies& released, std::string* out) {
  PutLittleEndian(out, released.below);
  released.floors.Encode(out);
}

bool Take(std::string_view* bytes, ReleasedBodies* released) {
  ByteReader reader(*bytes);
  released->below = reader.LittleEndian<Sequence>();
  *bytes = reader.rest();
  return reader.ok() && ttl::Floors::Decode(bytes, &released->floors);
}

}  // namespace

Result<std::optional<HeldBodies>> HeldBodies::Load(Transaction* transaction) {
  store::PinnedValue value;
  return DecodeFound(transaction->Get(kMetaFamily, HeldBodiesKey(transaction->partition()), &value), value);
}

Result<std::optional<HeldBodies>> HeldBodies::DecodeFound(const Status& found, const store::PinnedValue& value) {
  if (found.code() == Code::kNotFound) return std::optional<HeldBodies>();
  LAPSE_RETURN_IF_ERROR(found);
  LAPSE_ASSIGN_OR_RETURN(HeldBodies held, Decode(value.view()));
  return std::optional(std::move(held));
}

Result<ttl::Floors> HeldBodies::LoadReleased(store::Shard* shard, PartitionId partition, const ttl::Floors& purged) {
  store::PinnedValue value;
  LAPSE_ASSIGN_OR_RETURN(std::optional<HeldBodies> held,
                         DecodeFound(shard->Get(kMetaFamily, HeldBodiesKey(partition), &value), value));
  if (!held.has_value()) return purged;
  return std::move(held->released_.floors);
}

Result<ReleasedBodies> HeldBodies::LoadPurged(store::Shard* shard, const store::Snapshot& snapshot,
                                              PartitionId partition) {
  store::PinnedValue value;
  LAPSE_ASSIGN_OR_RETURN(
      std::optional<HeldBodies> held,
      DecodeFound(shard->Get(kMetaFamily, HeldBodiesKey(partition), &value, {.snapshot = &snapshot}), value));
  if (!held.has_value() || held->held_.empty()) return ReleasedBodies();
  return std::move(held->held_.back().then);
}

void HeldBodies::HoldUntil(Sequence change, ReleasedBodies purged) {
  if (held_.size() >= kHeldMax) {
    size_t kept = 0;
    for (size_t i = 1; i < held_.size(); i += 2) held_[kept++] = std::move(held_[i]);
    held_.resize(kept);
  }
  held_.push_back({change, std::move(purged)});
}

bool HeldBodies::Release(Sequence log_floor) {
  size_t gone = 0;
  for (; gone < held_.size() && held_[gone].until <= log_floor; ++gone) released_ = std::move(held_[gone].then);
  held_.erase(held_.begin(), held_.begin() + static_cast<ptrdiff_t>(gone));
  return !held_.empty();
}

void HeldBodies::Store(Transaction* transaction) const {
  transaction->Put(kMetaFamily, HeldBodiesKey(transaction->partition()), Encode());
}

void HeldBodies::Remove(Transaction* transaction) {
  transaction->Delete(kMetaFamily, HeldBodiesKey(transaction->partition()));
}

std::string HeldBodies::Encode() const {
  std::string out(1, static_cast<char>(kHeldBodiesVersion));
  Put(released_, &out);
  PutLittleEndian(&out, static_cast<uint32_t>(held_.size()));
  for (const Held& held : held_) {
    PutLittleEndian(&out, held.until);
    Put(held.then, &out);
  }
  return out;
}

Result<HeldBodies> HeldBodies::Decode(std::string_view bytes) {
  const Status malformed(Code::kCorruption, "malformed record of held bodies");
  ByteReader front(bytes);
  if (front.Byte() != kHeldBodiesVersion) return malformed;
  bytes = front.rest();
  HeldBodies all;
  if (!Take(&bytes, &all.released_)) return malformed;
  ByteReader reader(bytes);
  const auto count = reader.LittleEndian<uint32_t>();
  bytes = reader.rest();
  if (!reader.ok() || count > kHeldMax) return malformed;
  for (uint32_t i = 0; i < count; ++i) {
    Held held;
    ByteReader until(bytes);
    held.until = until.LittleEndian<Sequence>();
    bytes = until.rest();
    if (!until.ok() || !Take(&bytes, &held.then)) return malformed;
    all.held_.push_back(std::move(held));
  }
  if (!bytes.empty()) return malformed;
  return all;
}

}  // namespace lapse::engine
