// The families of an engine's shard, with what compactions may drop of each.
#pragma once

#include <vector>

#include "store/shard.h"

namespace lapse::engine {

class PurgeFilter;

// The families that an engine's shard must be opened with, in this order. What the filter knows to be purged is dropped
// by compactions; it must outlive the shard. Null: nothing is ever dropped.
std::vector<store::FamilyOptions> EngineFamilies(const PurgeFilter* filter = nullptr);

}  // namespace lapse::engine
