#include "engine/shard/partitions/moments.h"

#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "engine/shard/partitions/partition.h"

namespace lapse::engine {
namespace {

// A second turns once a second, and a policy hardly ever changes. Only a page whose machine stalls again and again
// reaches this limit, and a page that mixes two seconds is better than none.
constexpr int kTriesMax = 10;

// The moments of all partitions at these times, with one state. Returns nullopt while a policy change is being
// published, which takes a few instructions.
std::optional<std::vector<ReadMoment>> TryMoments(const ContainerContext& container, const Partitions& partitions,
                                                  const std::vector<int64_t>& now_ms) {
  const std::shared_ptr<const ContainerState> state = container.state();
  std::vector<ReadMoment> moments;
  moments.reserve(partitions.size());
  for (size_t i = 0; i < partitions.size(); ++i) {
    std::shared_ptr<const PartitionFloors> floors = partitions[i]->floors();
    if (floors->revision != state->policy_revision) return std::nullopt;
    moments.emplace_back(now_ms[i], state, std::move(floors));
  }
  return moments;
}

std::vector<ReadMoment> MomentsOf(const ContainerContext& container, const Partitions& partitions, int64_t clock_ms) {
  std::vector<int64_t> now_ms;
  now_ms.reserve(partitions.size());
  for (const auto& partition : partitions) now_ms.push_back(TimeIn(container, *partition, clock_ms));
  while (true) {
    if (auto moments = TryMoments(container, partitions, now_ms)) return *std::move(moments);
    std::this_thread::yield();
  }
}

bool IsStill(const ReadMoment& moment, const ContainerContext& container, const PartitionState& partition,
             int64_t clock_ms) {
  const int64_t now_ms = TimeIn(container, partition, clock_ms);
  return now_ms / 1000 == moment.now_ms() / 1000 && container.state().get() == &moment.state();
}

bool AreStill(const std::vector<PageView>& views, const ContainerContext& container, const Partitions& partitions,
              int64_t clock_ms) {
  for (size_t i = 0; i < views.size(); ++i) {
    if (!IsStill(views[i].moment, container, *partitions[i], clock_ms)) return false;
  }
  return true;
}

std::vector<PageView> WithSnapshots(std::vector<ReadMoment> moments, const Partitions& partitions) {
  std::map<store::Shard*, std::shared_ptr<const store::Snapshot>> snapshots;
  std::vector<PageView> views;
  views.reserve(moments.size());
  for (size_t i = 0; i < moments.size(); ++i) {
    store::Shard* const store = partitions[i]->store();
    std::shared_ptr<const store::Snapshot>& snapshot = snapshots[store];
    if (snapshot == nullptr) snapshot = store->NewSnapshot();
    views.push_back({std::move(moments[i]), snapshot});
  }
  return views;
}

}  // namespace

int64_t TimeIn(const ContainerContext& container, const PartitionState& partition, int64_t clock_ms) {
  return partition.second_hold().Limit(container.second_hold().Limit(clock_ms));
}

ReadMoment MomentOf(const ContainerContext& container, const PartitionState& partition, int64_t clock_ms) {
  const int64_t now_ms = TimeIn(container, partition, clock_ms);
  while (true) {
    std::shared_ptr<const ContainerState> state = container.state();
    std::shared_ptr<const PartitionFloors> floors = partition.floors();
    if (floors->revision == state->policy_revision) return {now_ms, std::move(state), std::move(floors)};
    std::this_thread::yield();
  }
}

PageView ViewOf(const ContainerContext& container, const PartitionState& partition, StoreClock* clock) {
  for (int tries = 1;; ++tries) {
    ReadMoment moment = MomentOf(container, partition, clock->NowMs());
    std::shared_ptr<const store::Snapshot> snapshot = partition.store()->NewSnapshot();
    if (tries == kTriesMax || IsStill(moment, container, partition, clock->NowMs())) {
      return {std::move(moment), std::move(snapshot)};
    }
  }
}

std::vector<PageView> ViewsOf(const ContainerContext& container, const Partitions& partitions, StoreClock* clock) {
  for (int tries = 1;; ++tries) {
    std::vector<PageView> views = WithSnapshots(MomentsOf(container, partitions, clock->NowMs()), partitions);
    if (tries == kTriesMax || AreStill(views, container, partitions, clock->NowMs())) return views;
  }
}

}  // namespace lapse::engine
