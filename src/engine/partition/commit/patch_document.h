// Applies a patch to a document.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/records/items/item_patch.h"
#include "engine/records/partition_key/partition_key.h"

namespace lapse::engine {

struct PatchedDocument {
  std::string document;
  std::optional<int32_t> own_ttl;  // nullopt: inherited
};

// Pure. Fails: what the rules of the patch say; kInvalidArgument if the partition key would change.
Result<PatchedDocument> PatchDocument(const ItemPatch& patch, const PartitionKeyDefinition& key,
                                      std::string_view before);

}  // namespace lapse::engine
