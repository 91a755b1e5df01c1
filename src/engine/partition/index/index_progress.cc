#include "engine/partition/index/index_progress.h"

#include "base/bytes.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kIndexProgressVersion = 1;

}  // namespace

std::string EncodeIndexProgress(const IndexProgress& progress) {
  std::string bytes;
  PutLittleEndian(&bytes, kIndexProgressVersion);
  PutLittleEndian(&bytes, progress.passed);
  PutLittleEndian(&bytes, static_cast<uint8_t>(progress.done ? 1 : 0));
  return bytes;
}

Result<IndexProgress> LoadIndexProgress(store::Shard* shard, PartitionId partition, IndexId index) {
  store::PinnedValue value;
  const Status found = shard->Get(kMetaFamily, IndexBuildKey(partition, index), &value);
  if (found.code() == Code::kNotFound) return IndexProgress{};
  LAPSE_RETURN_IF_ERROR(found);
  ByteReader reader(value.view());
  const uint8_t version = reader.Byte();
  IndexProgress progress;
  progress.passed = reader.LittleEndian<uint64_t>();
  const uint8_t done = reader.Byte();
  progress.done = done == 1;
  if (!reader.AtEnd() || version != kIndexProgressVersion || done > 1) {
    return Status(Code::kCorruption, "malformed record of how far an index has come");
  }
  return progress;
}

}  // namespace lapse::engine
