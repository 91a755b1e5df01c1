// What a client sends to be stored as an item: checked, and taken apart into what the engine needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/partition_key/partition_key.h"

namespace lapse::api::cosmos {

struct ItemContent {
  std::string id;
  engine::LogicalKey key;
  std::string document;  // BSON without system properties
  std::optional<int32_t> own_ttl;
};

// `partition_key_header` may be empty: the document's own key counts then. Fails: kInvalidArgument, kTooLarge,
// kPartitionKeyMismatch.
Result<ItemContent> ReadItemContent(std::string_view body, std::string_view partition_key_header,
                                    const engine::PartitionKeyDefinition& partition_key,
                                    std::string_view container_properties);

}  // namespace lapse::api::cosmos
