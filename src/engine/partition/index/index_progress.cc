#include "engine/partition/index/index_progress.h"

#include <algorithm>
#include <memory>

#include "base/bytes.h"
#include "engine/catalog/containers/container.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"
#include "engine/shard/partitions/partition.h"
#include "engine/shard/shards.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kVersion = 1;

}  // namespace

std::string EncodeIndexProgress(IndexId index, const IndexProgress& progress) {
  std::string bytes;
  PutLittleEndian(&bytes, kVersion);
  PutLittleEndian(&bytes, index);
  PutLittleEndian(&bytes, progress.passed);
  PutLittleEndian(&bytes, static_cast<uint8_t>(progress.done ? 1 : 0));
  return bytes;
}

Result<IndexProgress> LoadIndexProgress(store::Shard* shard, PartitionId partition, IndexId index) {
  store::PinnedValue value;
  const Status found = shard->Get(kMetaFamily, IndexBuildKey(partition), &value);
  if (found.code() == Code::kNotFound) return IndexProgress{};
  LAPSE_RETURN_IF_ERROR(found);
  ByteReader reader(value.view());
  const uint8_t version = reader.Byte();
  const IndexId made = reader.LittleEndian<IndexId>();
  IndexProgress progress;
  progress.passed = reader.LittleEndian<uint64_t>();
  const uint8_t done = reader.Byte();
  progress.done = done == 1;
  if (!reader.AtEnd() || version != kVersion || done > 1) {
    return Status(Code::kCorruption, "malformed record of how far an index has come");
  }
  return made == index ? progress : IndexProgress{};
}

Result<int> IndexProgressPercent(const Container& container, Shards* shards) {
  const std::shared_ptr<const ContainerState> state = container.state();
  if (!state->index_in_making.has_value()) return 100;
  uint64_t passed = 0;
  uint64_t all = 0;
  for (const auto& partition : container.partitions()) {
    LAPSE_ASSIGN_OR_RETURN(const IndexProgress progress,
                           LoadIndexProgress(shards->Of(partition->id()), partition->id(), state->index_in_making->id));
    const uint64_t creations = partition->tally().creations;
    all += creations;
    passed += progress.done ? creations : std::min(progress.passed, creations);
  }
  // It is whole only once it is in use.
  return all == 0 ? 0 : std::min(99, static_cast<int>(static_cast<double>(passed) * 100 / static_cast<double>(all)));
}

}  // namespace lapse::engine
