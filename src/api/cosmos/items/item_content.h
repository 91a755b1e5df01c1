// Checks an item that a client sends, and extracts what the engine needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/cosmos/partition_key/partition_key_values.h"
#include "base/status.h"
#include "engine/records/partition_key/partition_key.h"

namespace lapse::api::cosmos {

struct ItemContent {
  std::string id;
  engine::LogicalKey key;
  std::string document;  // BSON without system properties
  std::optional<int32_t> own_ttl;
};

// If `partition_key_header` is empty, the document's own key counts. Fails: kInvalidArgument, kTooLarge,
// kPartitionKeyMismatch.
Result<ItemContent> ReadItemContent(std::string_view body, std::string_view partition_key_header,
                                    const engine::PartitionKeyDefinition& partition_key,
                                    std::string_view container_properties);

// The same for BSON that was read as a part of a larger text, if the request names the key. The size limit of an item
// applies to the JSON form of the document.
Result<ItemContent> ContentFromDocument(std::string document, const PartitionKeyValues& key,
                                        const engine::PartitionKeyDefinition& partition_key);

}  // namespace lapse::api::cosmos
