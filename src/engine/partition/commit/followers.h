// The followers of each change of an item: unique keys, counts, cohorts, index entries, the change log.
#pragma once

#include <span>

#include "engine/partition/transaction/follower.h"

namespace lapse::engine {

// Returns all followers, in the order in which they are called.
std::span<const Follower* const> Followers();

}  // namespace lapse::engine
