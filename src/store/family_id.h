// How a shard's families are named.
#pragma once

#include <cstdint>

namespace lapse::store {

// Index into the list of families a shard was opened with.
using FamilyId = uint32_t;

}  // namespace lapse::store
