// A shard in plain memory, for tests: follows every rule of the interface, and is not fast.
#pragma once

#include <memory>
#include <vector>

#include "store/shard.h"

namespace lapse::store {

std::unique_ptr<Shard> NewMemShard(std::vector<FamilyOptions> families);

}  // namespace lapse::store
