#include "engine/items/page_view.h"

#include <utility>

#include "engine/catalog/container.h"
#include "engine/commit/partition.h"

namespace lapse::engine {
namespace {

// A second turns once a second, and a policy hardly ever changes. So whoever comes to this limit was stopped by its
// machine again and again, and a page that mixes two seconds is better than none.
constexpr int kTriesMax = 10;

bool IsStill(const ReadMoment& moment, const Container& container, const Partition& partition, int64_t clock_ms) {
  const int64_t now_ms = ReadMoment::TimeIn(container, partition, clock_ms);
  return now_ms / 1000 == moment.now_ms() / 1000 && container.state().get() == &moment.state();
}

}  // namespace

PageView ViewOf(const Container& container, const Partition& partition, const CommitParts& parts) {
  store::Shard* const shard = parts.shards->Of(partition.id());
  for (int tries = 1;; ++tries) {
    ReadMoment moment(container, partition, parts.clock->NowMs());
    std::unique_ptr<store::Snapshot> snapshot = shard->NewSnapshot();
    if (tries == kTriesMax || IsStill(moment, container, partition, parts.clock->NowMs())) {
      return {std::move(moment), std::move(snapshot)};
    }
  }
}

}  // namespace lapse::engine
