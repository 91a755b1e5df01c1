// What a page reads of a partition: a snapshot, and the moment that belongs to it (shard/partitions/moments.h).
#pragma once

#include <memory>

#include "engine/partition/view/read_moment.h"
#include "store/shard.h"

namespace lapse::engine {

struct PageView {
  ReadMoment moment;
  std::shared_ptr<const store::Snapshot> snapshot;
};

}  // namespace lapse::engine
