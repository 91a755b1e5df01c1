// The ids of a shard's families.
#pragma once

#include <cstdint>

namespace lapse::store {

// Index into the list of families that the shard was opened with.
using FamilyId = uint32_t;

}  // namespace lapse::store
