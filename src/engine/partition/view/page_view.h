// What a page reads of a partition: a snapshot, and the moment that belongs to it.
//
// Both are taken one after the other. If the second turned in between, a page by them would show an item that has
// expired beside one that was written later: what was never there together. So they are taken again.
#pragma once

#include <memory>
#include <vector>

#include "engine/partition/view/read_moment.h"
#include "engine/shard/partitions/commit_parts.h"
#include "store/shard.h"

namespace lapse::engine {

struct PageView {
  ReadMoment moment;
  std::shared_ptr<const store::Snapshot> snapshot;
};

// The page must be open (OpenPages).
PageView ViewOf(const Container& container, const Partition& partition, const CommitParts& parts);
// One for each partition of the container, in their order, all with one state.
std::vector<PageView> ViewsOf(const Container& container, const CommitParts& parts);

}  // namespace lapse::engine
