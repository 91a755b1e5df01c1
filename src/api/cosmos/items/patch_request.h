// The body of a patch: `[...]` or `{"condition": "from c where ...", "operations": [...]}`, each operation `{"op",
// "path", "value"}` or, for a move,
// `{"op", "from", "path"}`. Members that a request or an operation does not have are passed over.
#pragma once

#include <string_view>

#include "api/cosmos/query/queried_item.h"
#include "base/status.h"
#include "doc/value.h"
#include "engine/records/items/item_patch.h"
#include "engine/records/partition_key/partition_key.h"

namespace lapse::api::cosmos {

// Everything that can be seen without the item is checked. Fails: kInvalidArgument, kTooLarge.
Result<engine::ItemPatch> ReadPatch(std::string_view body, const engine::PartitionKeyDefinition& partition_key,
                                    const ItemsOwner& owner);
// The same for one that was read as a part of something else: the object or the array.
Result<engine::ItemPatch> PatchFromValue(doc::Value patch, const engine::PartitionKeyDefinition& partition_key,
                                         const ItemsOwner& owner);

}  // namespace lapse::api::cosmos
