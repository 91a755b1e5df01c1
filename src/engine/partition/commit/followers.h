// What follows each change of an item: unique keys, counts, cohorts, index entries, the change log.
#pragma once

#include <span>

#include "engine/partition/transaction/follower.h"

namespace lapse::engine {

// All of them, in the order in which they follow.
std::span<const Follower* const> Followers();

}  // namespace lapse::engine
