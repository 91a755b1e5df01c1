// The families of keys that the engine's shards hold (docs/formats.md draws the bytes).
#pragma once

#include "store/family_id.h"

namespace lapse::engine {

// In the order of EngineFamilies() (shard/purge/engine_families.h).
constexpr store::FamilyId kMetaFamily = 0;    // catalog, clock, tallies; compaction drops nothing
constexpr store::FamilyId kHeadFamily = 1;    // partition key and id -> where the item is
constexpr store::FamilyId kRecordFamily = 2;  // item number -> where the item is
constexpr store::FamilyId kBodyFamily = 3;    // commit order -> what the item is
constexpr store::FamilyId kMemberFamily = 4;  // partition key -> the numbers of its items
constexpr store::FamilyId kQueueFamily = 5;   // expiry order of items with a lifetime of their own
constexpr store::FamilyId kCohortFamily = 6;  // how many items expire together
constexpr store::FamilyId kLogFamily = 7;     // change logs
constexpr store::FamilyId kUniqueFamily = 8;  // values that must be unique -> the numbers of items that may hold them
constexpr store::FamilyId kErasedFamily = 9;  // deleted partition keys, until their records are removed
constexpr store::FamilyId kIndexFamily = 10;  // path and value -> the items that have it there

// The families with data of a container's items. All data of a container is under its id there; in the index family, it
// is under the ids of its indexes.
constexpr store::FamilyId kItemFamilies[] = {kHeadFamily,   kRecordFamily, kBodyFamily,   kMemberFamily, kQueueFamily,
                                             kCohortFamily, kLogFamily,    kUniqueFamily, kErasedFamily, kIndexFamily};

}  // namespace lapse::engine
