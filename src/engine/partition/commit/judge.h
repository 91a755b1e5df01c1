// Whether a write may go ahead, by the item that stands in its place: the one place where that is decided. Unique keys,
// which ask other items, come after it (engine/unique_keys).
#pragma once

#include "base/status.h"
#include "engine/records/items/item_records.h"
#include "engine/records/items/item_write.h"

namespace lapse::engine {

// `live` is the item that stands there, null when there is none or it has expired. If the write names the
// number of an item (`only`), any other item in its place counts as none. Fails: kAlreadyExists, kNotFound,
// kPreconditionFailed.
Status Judge(const ItemWrite& write, const HeadRecord* live);

}  // namespace lapse::engine
