#include "engine/records/definitions/container_state.h"

#include <algorithm>

namespace lapse::engine {
namespace {

template <typename Policies>
auto Find(Policies& policies, PartitionNumber partition) {
  return std::lower_bound(policies.begin(), policies.end(), partition,
                          [](const PartitionPolicy& one, PartitionNumber number) { return one.partition < number; });
}

}  // namespace

const PartitionPolicy& ContainerState::Of(PartitionNumber partition) const {
  static const PartitionPolicy kNone;
  const auto found = Find(by_partition, partition);
  return found != by_partition.end() && found->partition == partition ? *found : kNone;
}

PartitionPolicy& ContainerState::Of(PartitionNumber partition) {
  auto found = Find(by_partition, partition);
  if (found == by_partition.end() || found->partition != partition) {
    found = by_partition.insert(found, PartitionPolicy{.partition = partition, .dead = {}});
  }
  return *found;
}

int64_t ContainerState::DiedAtMs(const ttl::Lifetime& lifetime, int64_t now_ms) const {
  return DiedAtMs(lifetime.ServerRule().value_or(ttl::kInheritRule), lifetime.ServerBaseMs(), now_ms);
}

int64_t ContainerState::DiedAtMs(ttl::RuleId rule, int64_t base_ms, int64_t now_ms) const {
  return history.DiedAtMs(rule, base_ms, now_ms).value_or(now_ms);
}

Status ContainerState::Check() const {
  switch (standing) {
    case Standing::kInForce: return Status::Ok();
    case Standing::kDropped: return {Code::kNotFound, "the container was deleted"};
    case Standing::kInDoubt: return {Code::kUnavailable, "it is not known whether a change of the container counts"};
  }
  return {Code::kInternal, "a container without standing"};
}

}  // namespace lapse::engine
