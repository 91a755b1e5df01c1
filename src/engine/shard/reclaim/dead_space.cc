#include "engine/shard/reclaim/dead_space.h"

namespace lapse::engine {

void DeadSpace::AddPartition(PartitionId partition, const PartitionTally& tally, const ttl::Floors& released_bodies,
                             const std::shared_ptr<OpenPages>& pages) {
  filter_->Add(partition, tally, released_bodies);
  marker_.Note(partition, tally, pages);
}

void DeadSpace::Purged(PartitionId partition, const PartitionTally& tally, const ttl::Floors& released_bodies,
                       Sequence dead_below, const std::shared_ptr<OpenPages>& pages) {
  pages->AfterThese([this, partition, tally, released_bodies, dead_below, pages] {
    filter_->Raise(partition, tally, released_bodies);
    marker_.Note(partition, tally, pages);
    reclaimer_.Note(partition, dead_below);
  });
}

void DeadSpace::Replaced(uint64_t bytes) {
  if (bytes > 0) reclaimer_.NoteReplaced(bytes);
}

void DeadSpace::GaveUp(const std::vector<IndexId>& indexes, const std::shared_ptr<OpenPages>& pages) {
  if (indexes.empty()) return;
  pages->AfterThese([this, indexes] {
    for (IndexId index : indexes) filter_->ForgetIndex(index);
    reclaimer_.NoteDropped();
  });
}

void DeadSpace::Dropped(ContainerId container, const std::shared_ptr<OpenPages>& pages) {
  pages->AfterThese([this, container] {
    filter_->Forget(container);
    marker_.Forget(container);
    reclaimer_.NoteDropped();
  });
}

}  // namespace lapse::engine
