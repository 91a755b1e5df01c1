#include "engine/records/expiry/item_range_summary.h"

#include <algorithm>

#include "base/bytes.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kItemRangesVersion = 1;
// A table with more partitions than this has no summary: it is judged record by record.
constexpr size_t kItemRangesMax = 64;
constexpr size_t kItemRangeBytes = 4 + 4 + 8 + 8;

}  // namespace

void ItemRangeSummary::Add(ContainerId container, ItemNumber item) {
  if (!known_) return;
  const PartitionId partition{container, PartitionOf(item)};
  const uint64_t creation = CreationOf(item);
  // Keys arrive in order, so the group is usually the last one.
  auto found =
      std::find_if(groups_.rbegin(), groups_.rend(), [&](const Group& group) { return group.partition == partition; });
  if (found == groups_.rend()) {
    if (groups_.size() == kItemRangesMax) return AddUnknown();
    groups_.push_back({partition, creation, creation});
    return;
  }
  found->first = std::min(found->first, creation);
  found->last = std::max(found->last, creation);
}

std::string ItemRangeSummary::Encode() const {
  std::string bytes;
  if (!known_ || groups_.empty()) return bytes;
  PutLittleEndian(&bytes, kItemRangesVersion);
  PutLittleEndian(&bytes, static_cast<uint32_t>(groups_.size()));
  for (const Group& group : groups_) {
    PutLittleEndian(&bytes, group.partition.container);
    PutLittleEndian(&bytes, group.partition.number);
    PutLittleEndian(&bytes, group.first);
    PutLittleEndian(&bytes, group.last);
  }
  return bytes;
}

std::optional<std::vector<ItemRangeSummary::Group>> ItemRangeSummary::Decode(std::string_view bytes) {
  ByteReader reader(bytes);
  if (reader.Byte() != kItemRangesVersion) return std::nullopt;
  const uint32_t count = reader.LittleEndian<uint32_t>();
  if (!reader.ok() || count == 0 || reader.rest().size() != count * kItemRangeBytes) return std::nullopt;
  std::vector<Group> groups(count);
  for (Group& group : groups) {
    group.partition.container = reader.LittleEndian<ContainerId>();
    group.partition.number = reader.LittleEndian<PartitionNumber>();
    group.first = reader.LittleEndian<uint64_t>();
    group.last = reader.LittleEndian<uint64_t>();
  }
  return groups;
}

}  // namespace lapse::engine
