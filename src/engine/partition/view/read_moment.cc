#include "engine/partition/view/read_moment.h"

#include <utility>

#include "engine/catalog/containers/container.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::engine {

ReadMoment::ReadMoment(const Container& container, const Partition& partition, int64_t clock_ms)
    : ReadMoment(partition, TimeIn(container, partition, clock_ms), container.state()) {}

ReadMoment::ReadMoment(const Partition& partition, int64_t now_ms, std::shared_ptr<const ContainerState> state)
    : now_ms_(now_ms),
      state_(std::move(state)),
      dead_(&state_->Of(partition.number()).dead),
      purged_(partition.purged_floors()) {}

// First the time of all partitions, then the state: a policy change that is seen has floors for these times.
std::vector<ReadMoment> MomentsOf(const Container& container, int64_t clock_ms) {
  std::vector<int64_t> now_ms;
  for (const auto& partition : container.partitions()) {
    now_ms.push_back(ReadMoment::TimeIn(container, *partition, clock_ms));
  }
  const std::shared_ptr<const ContainerState> state = container.state();
  std::vector<ReadMoment> moments;
  for (size_t i = 0; i < now_ms.size(); ++i) moments.emplace_back(*container.partitions()[i], now_ms[i], state);
  return moments;
}

int64_t ReadMoment::TimeIn(const Container& container, const Partition& partition, int64_t clock_ms) {
  return partition.second_hold().Limit(container.second_hold().Limit(clock_ms));
}

}  // namespace lapse::engine
