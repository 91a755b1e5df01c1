#include "engine/records/partitions/partition_tally.h"

#include "base/bytes.h"

namespace lapse::engine {
namespace {

// The first byte: the version, and flags for the parts that most partitions do not have.
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

}  // namespace lapse::engine
