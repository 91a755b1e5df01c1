// A partition as a page reads it: a snapshot and the matching moment (shard/partitions/moments.h).
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
