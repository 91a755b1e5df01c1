#include "engine/records/expiry/lifetime_summary.h"

#include <algorithm>

#include "base/bytes.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kLifetimesVersion = 1;
// A table with more partitions than this has no summary: it is judged record by record.
constexpr size_t kLifetimeGroupsMax = 64;
constexpr size_t kLifetimeGroupBytes = 4 + 4 + 4 + 8 + 8;

}  // namespace

void LifetimeSummary::Add(PartitionId partition, const ttl::Lifetime& lifetime) {
  if (!known_) return;
  const std::optional<ttl::RuleId> rule = lifetime.ServerRule();
  // A record that never expires, or may expire by a date first, cannot be summarized.
  if (!rule || !lifetime.dates.empty()) return AddUnknown();
  // Keys arrive in order, so the group is usually the last one.
  auto found = std::find_if(groups_.rbegin(), groups_.rend(),
                            [&](const Group& group) { return group.partition == partition && group.rule == *rule; });
  if (found == groups_.rend()) {
    if (groups_.size() == kLifetimeGroupsMax) return AddUnknown();
    groups_.push_back({partition, *rule, lifetime.ServerBaseMs(), lifetime.sequence});
    return;
  }
  found->base_ms = std::max(found->base_ms, lifetime.ServerBaseMs());
  found->sequence = std::max(found->sequence, lifetime.sequence);
}

std::string LifetimeSummary::Encode() const {
  std::string bytes;
  if (!known_ || groups_.empty()) return bytes;
  PutLittleEndian(&bytes, kLifetimesVersion);
  PutLittleEndian(&bytes, static_cast<uint32_t>(groups_.size()));
  for (const Group& group : groups_) {
    PutLittleEndian(&bytes, group.partition.container);
    PutLittleEndian(&bytes, group.partition.number);
    PutLittleEndian(&bytes, group.rule);
    PutLittleEndian(&bytes, group.base_ms);
    PutLittleEndian(&bytes, group.sequence);
  }
  return bytes;
}

std::optional<std::vector<LifetimeSummary::Group>> LifetimeSummary::Decode(std::string_view bytes) {
  ByteReader reader(bytes);
  if (reader.Byte() != kLifetimesVersion) return std::nullopt;
  const uint32_t count = reader.LittleEndian<uint32_t>();
  if (!reader.ok() || count == 0 || reader.rest().size() != count * kLifetimeGroupBytes) return std::nullopt;
  std::vector<Group> groups(count);
  for (Group& group : groups) {
    group.partition.container = reader.LittleEndian<ContainerId>();
    group.partition.number = reader.LittleEndian<PartitionNumber>();
    group.rule = reader.LittleEndian<ttl::RuleId>();
    group.base_ms = reader.LittleEndian<int64_t>();
    group.sequence = reader.LittleEndian<uint64_t>();
  }
  return groups;
}

}  // namespace lapse::engine
