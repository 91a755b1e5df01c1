#include "engine/records/erasure/erasure.h"

#include "base/bytes.h"
#include "engine/records/items/item_keys.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kVersion = 1;

}  // namespace

std::string ErasuresOf(PartitionId partition) {
  std::string key = ContainerPrefix(partition.container);
  PutBigEndian(&key, partition.number);
  return key;
}

std::string ErasureKey(PartitionId partition, std::string_view prefix, Sequence sequence) {
  std::string key = ErasuresOf(partition);
  key.append(prefix.substr(kContainerPrefixBytes));
  PutBigEndian(&key, sequence);
  return key;
}

std::string EncodeErasure(const Erasure& erasure) {
  std::string bytes(1, static_cast<char>(kVersion));
  PutLittleEndian(&bytes, erasure.time_ms);
  erasure.policy.Encode(&bytes);
  erasure.dead.Encode(&bytes);
  return bytes;
}

Result<Erasure> DecodeErasure(std::string_view key, std::string_view value) {
  const Status malformed(Code::kCorruption, "malformed erasure of a partition key");
  constexpr size_t kBeforeKey_bytes = kContainerPrefixBytes + sizeof(PartitionNumber);
  if (key.size() < kBeforeKey_bytes + sizeof(Sequence)) return malformed;
  Erasure erasure;
  const size_t sequence_at = key.size() - sizeof(Sequence);
  erasure.prefix = key.substr(0, kContainerPrefixBytes);
  erasure.prefix.append(key.substr(kBeforeKey_bytes, sequence_at - kBeforeKey_bytes));
  erasure.sequence = ByteReader(key.substr(sequence_at)).BigEndian<Sequence>();
  ByteReader reader(value);
  const uint8_t version = reader.Byte();
  erasure.time_ms = reader.LittleEndian<int64_t>();
  std::string_view rest = reader.rest();
  const bool decoded = reader.ok() && version == kVersion && ttl::Policy::Decode(&rest, &erasure.policy) &&
                       ttl::Floors::Decode(&rest, &erasure.dead);
  if (!decoded || !rest.empty()) return malformed;
  return erasure;
}

}  // namespace lapse::engine
