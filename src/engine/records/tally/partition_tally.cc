#include "engine/records/tally/partition_tally.h"

#include "base/bytes.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"

namespace lapse::engine {
namespace {

// The first byte: the version, and which of the parts follow that most partitions do not have.
constexpr uint8_t kVersion = 1;
constexpr uint8_t kWithErasures = 1 << 4;
constexpr uint8_t kWithExcluded = 1 << 5;
constexpr uint8_t kParts = kWithErasures | kWithExcluded;

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

Result<PartitionTally> WithErasures(Result<PartitionTally> tally, store::Shard* shard, PartitionId partition,
                                    const store::Snapshot* snapshot) {
  if (!tally.ok() || tally->erasures == 0) return tally;
  LAPSE_ASSIGN_OR_RETURN(tally->erased, LoadErasedKeys(shard, partition, tally->erasures, snapshot));
  return tally;
}

}  // namespace

std::string EncodeTally(const PartitionTally& tally) {
  const int parts = (tally.erasures > 0 ? kWithErasures : 0) | (tally.has_excluded ? kWithExcluded : 0);
  std::string out(1, static_cast<char>(kVersion | parts));
  PutLittleEndian(&out, tally.last_sequence);
  PutLittleEndian(&out, tally.last_lsn);
  PutLittleEndian(&out, tally.creations);
  PutCount(&out, tally.stored);
  PutCount(&out, tally.purged.total);
  PutLittleEndian(&out, tally.purged.milli_ru);
  PutLittleEndian(&out, tally.log_floor);
  if (tally.erasures > 0) PutLittleEndian(&out, tally.erasures);
  tally.purged.floors.Encode(&out);
  return out;
}

Result<PartitionTally> DecodeTally(std::string_view bytes) {
  ByteReader reader(bytes);
  const uint8_t first = reader.Byte();
  PartitionTally tally;
  tally.has_excluded = (first & kWithExcluded) != 0;
  tally.last_sequence = reader.LittleEndian<Sequence>();
  tally.last_lsn = reader.LittleEndian<Lsn>();
  tally.creations = reader.LittleEndian<uint64_t>();
  tally.stored = TakeCount(&reader);
  tally.purged.total = TakeCount(&reader);
  tally.purged.milli_ru = reader.LittleEndian<int64_t>();
  tally.log_floor = reader.LittleEndian<Sequence>();
  const bool with_erasures = (first & kWithErasures) != 0;
  if (with_erasures) tally.erasures = reader.LittleEndian<uint32_t>();
  std::string_view rest = reader.rest();
  const bool known = (first & ~kParts) == kVersion && with_erasures == (tally.erasures > 0);
  const bool decoded = reader.ok() && known && ttl::Floors::Decode(&rest, &tally.purged.floors);
  if (!decoded || !rest.empty()) return Status(Code::kCorruption, "malformed tally of a partition");
  return tally;
}

Result<PartitionTally> LoadTally(store::Shard* shard, PartitionId partition) {
  store::PinnedValue value;
  LAPSE_RETURN_IF_ERROR(shard->Get(kMetaFamily, PartitionTallyKey(partition), &value));
  return WithErasures(DecodeTally(value.view()), shard, partition, nullptr);
}

Result<PartitionTally> LoadTallyAt(const store::Snapshot& snapshot, store::Shard* shard, PartitionId partition) {
  store::PinnedValue value;
  const Status found = shard->Get(kMetaFamily, PartitionTallyKey(partition), &value, {.snapshot = &snapshot});
  if (found.code() == Code::kNotFound) return Status(Code::kNotFound, "the container was deleted");
  LAPSE_RETURN_IF_ERROR(found);
  return WithErasures(DecodeTally(value.view()), shard, partition, &snapshot);
}

}  // namespace lapse::engine
