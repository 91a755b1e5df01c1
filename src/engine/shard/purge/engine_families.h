// The families of an engine's shard, and what compactions may drop from each.
#pragma once

#include <vector>

#include "store/shard.h"

namespace lapse::engine {

class PurgeFilter;

// The families that an engine's shard must be opened with, in this order. Compactions drop the records that the filter
// knows to be purged. The filter must outlive the shard; with null nothing is ever dropped.
std::vector<store::FamilyOptions> EngineFamilies(const PurgeFilter* filter = nullptr);

}  // namespace lapse::engine
