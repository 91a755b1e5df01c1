#include "engine/commit/partition_tally.h"

#include "base/bytes.h"
#include "engine/families.h"
#include "engine/meta_keys.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kVersion = 1;

void PutCount(std::string* out, const Count& count) {
  PutLittleEndian(out, count.items);
  PutLittleEndian(out, count.bytes);
}

Count TakeCount(ByteReader* reader) {
  Count count;
  count.items = reader->LittleEndian<int64_t>();
  count.bytes = reader->LittleEndian<int64_t>();
  return count;
}

}  // namespace

std::string EncodeTally(const PartitionTally& tally) {
  std::string out(1, static_cast<char>(kVersion));
  PutLittleEndian(&out, tally.last_sequence);
  PutLittleEndian(&out, tally.last_lsn);
  PutLittleEndian(&out, tally.creations);
  PutCount(&out, tally.stored);
  PutCount(&out, tally.purged.total);
  PutLittleEndian(&out, tally.purged.milli_ru);
  PutLittleEndian(&out, tally.log_floor);
  tally.purged.floors.Encode(&out);
  return out;
}

Result<PartitionTally> DecodeTally(std::string_view bytes) {
  ByteReader reader(bytes);
  uint8_t version = reader.Byte();
  PartitionTally tally;
  tally.last_sequence = reader.LittleEndian<Sequence>();
  tally.last_lsn = reader.LittleEndian<Lsn>();
  tally.creations = reader.LittleEndian<uint64_t>();
  tally.stored = TakeCount(&reader);
  tally.purged.total = TakeCount(&reader);
  tally.purged.milli_ru = reader.LittleEndian<int64_t>();
  tally.log_floor = reader.LittleEndian<Sequence>();
  std::string_view rest = reader.rest();
  bool decoded = reader.ok() && version == kVersion && ttl::Floors::Decode(&rest, &tally.purged.floors);
  if (!decoded || !rest.empty()) return Status(Code::kCorruption, "malformed tally of a partition");
  return tally;
}

Result<PartitionTally> LoadTally(store::Shard* shard, PartitionId partition) {
  store::PinnedValue value;
  LAPSE_RETURN_IF_ERROR(shard->Get(kMetaFamily, PartitionTallyKey(partition), &value));
  return DecodeTally(value.view());
}

Result<PartitionTally> LoadTallyAt(const store::Snapshot& snapshot, store::Shard* shard, PartitionId partition) {
  store::PinnedValue value;
  const Status found = shard->Get(kMetaFamily, PartitionTallyKey(partition), &value, {.snapshot = &snapshot});
  if (found.code() == Code::kNotFound) return Status(Code::kNotFound, "the container was deleted");
  LAPSE_RETURN_IF_ERROR(found);
  return DecodeTally(value.view());
}

}  // namespace lapse::engine
