// Entries of unique keys. Each lists the items that may hold values with one hash (docs/formats.md,
// docs/design/unique-keys.md).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "engine/records/unique_keys/unique_values.h"

namespace lapse::engine {

// [container][logical key][which of the container's unique keys, 1][hash, 16], for the item under the head key.
std::string UniqueEntryKey(std::string_view head_key, size_t unique_key, const UniqueHash& hash);

// [version 1][item number 8]..., at least one.
std::string EncodeUniqueEntry(const std::vector<ItemNumber>& holders);
Status DecodeUniqueEntry(std::string_view bytes, std::vector<ItemNumber>* holders);

}  // namespace lapse::engine
