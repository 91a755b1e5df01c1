// The body of a patch: `[...]` or `{"condition": "from c where ...", "operations": [...]}`, each operation `{"op",
// "path", "value"}` or, for a move, `{"op", "from", "path"}`. Unknown members of a request or an operation are ignored.
#pragma once

#include <string_view>

#include "api/cosmos/query/queried_item.h"
#include "base/status.h"
#include "doc/value.h"
#include "engine/records/items/item_patch.h"
#include "engine/records/partition_key/partition_key.h"

namespace lapse::api::cosmos {

// Checks everything that does not depend on the item. Fails: kInvalidArgument, kTooLarge.
Result<engine::ItemPatch> ReadPatch(std::string_view body, const engine::PartitionKeyDefinition& partition_key,
                                    const ItemsOwner& owner);
// The same for a patch that was read as a part of a larger text: the object or the array.
Result<engine::ItemPatch> PatchFromValue(doc::Value patch, const engine::PartitionKeyDefinition& partition_key,
                                         const ItemsOwner& owner);

}  // namespace lapse::api::cosmos
