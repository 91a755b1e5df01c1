#include "engine/partition/view/page_view.h"

#include <map>
#include <utility>

#include "engine/catalog/containers/container.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::engine {
namespace {

// A second turns once a second, and a policy hardly ever changes. So whoever comes to this limit was stopped by its
// machine again and again, and a page that mixes two seconds is better than none.
constexpr int kTriesMax = 10;

bool IsStill(const ReadMoment& moment, const Container& container, const Partition& partition, int64_t clock_ms) {
  const int64_t now_ms = ReadMoment::TimeIn(container, partition, clock_ms);
  return now_ms / 1000 == moment.now_ms() / 1000 && container.state().get() == &moment.state();
}

bool AreStill(const std::vector<PageView>& views, const Container& container, int64_t clock_ms) {
  for (size_t i = 0; i < views.size(); ++i) {
    if (!IsStill(views[i].moment, container, *container.partitions()[i], clock_ms)) return false;
  }
  return true;
}

// Partitions of one shard share its snapshot.
std::vector<PageView> WithSnapshots(std::vector<ReadMoment> moments, const Container& container,
                                    const CommitParts& parts) {
  std::map<store::Shard*, std::shared_ptr<const store::Snapshot>> snapshots;
  std::vector<PageView> views;
  views.reserve(moments.size());
  for (size_t i = 0; i < moments.size(); ++i) {
    store::Shard* const shard = parts.shards->Of(container.partitions()[i]->id());
    std::shared_ptr<const store::Snapshot>& snapshot = snapshots[shard];
    if (snapshot == nullptr) snapshot = shard->NewSnapshot();
    views.push_back({std::move(moments[i]), snapshot});
  }
  return views;
}

}  // namespace

PageView ViewOf(const Container& container, const Partition& partition, const CommitParts& parts) {
  store::Shard* const shard = parts.shards->Of(partition.id());
  for (int tries = 1;; ++tries) {
    ReadMoment moment(container, partition, parts.clock->NowMs());
    std::shared_ptr<const store::Snapshot> snapshot = shard->NewSnapshot();
    if (tries == kTriesMax || IsStill(moment, container, partition, parts.clock->NowMs())) {
      return {std::move(moment), std::move(snapshot)};
    }
  }
}

std::vector<PageView> ViewsOf(const Container& container, const CommitParts& parts) {
  for (int tries = 1;; ++tries) {
    std::vector<PageView> views = WithSnapshots(MomentsOf(container, parts.clock->NowMs()), container, parts);
    if (tries == kTriesMax || AreStill(views, container, parts.clock->NowMs())) return views;
  }
}

}  // namespace lapse::engine
