// Keys of the family `index`: which item has which value at which path (docs/design/index.md).
//
//   [index id 4][partition 4][path 16][value][creation 5]
//
// Partition and creation are the two halves of the item number. An item that is left out of the index has a single
// entry, at the root path and without a value. The stored values of these keys are empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/records/ids/ids.h"
#include "engine/records/index/path_number.h"

namespace lapse::engine {

// From the counter that also supplies container ids. 0: none.
using IndexId = ContainerId;

constexpr size_t kIndexPrefixBytes = sizeof(IndexId) + sizeof(PartitionNumber);
// Everything before the value.
constexpr size_t kIndexPathBytes = kIndexPrefixBytes + kPathNumberBytes;
constexpr size_t kCreationBytes = kCreationBits / 8;

// The prefix of an index's entries for the items of one partition.
std::string IndexPrefix(IndexId index, PartitionNumber partition);
// The prefix of those at one path.
std::string IndexPathPrefix(IndexId index, PartitionNumber partition, const PathNumber& path);
// The lower bound of those with this value, or with one that begins like it.
std::string IndexBound(IndexId index, PartitionNumber partition, const PathNumber& path, std::string_view value);
// `path_and_value` are the bytes of the entry's path and value.
std::string IndexKey(IndexId index, std::string_view path_and_value, ItemNumber item);
// Appends the creation of an item.
void PutCreation(std::string* out, ItemNumber item);

struct IndexKeyParts {
  IndexId index = 0;
  PathNumber path{};
  std::string_view value;  // points into the key
  ItemNumber item = 0;
};
// Returns false if the key is too short, names an impossible item, has a value where none is allowed, or lacks one
// where it is required. Does not check the value.
bool SplitIndexKey(std::string_view key, IndexKeyParts* parts);

}  // namespace lapse::engine
