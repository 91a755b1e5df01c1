// Decides, in one place, whether a write may go ahead, given the item in its place. Unique keys depend on other items
// and are checked later (partition/unique_keys).
#pragma once

#include "base/status.h"
#include "engine/records/items/item_records.h"
#include "engine/records/items/item_write.h"

namespace lapse::engine {

// `live` is the item in its place, or null if there is none or it has expired. If the write names an item number
// (`only`), an item with another number counts as none. Fails: kAlreadyExists, kNotFound, kPreconditionFailed.
Status Judge(const ItemWrite& write, const HeadRecord* live);

}  // namespace lapse::engine
