// Keys of the family `index`: which item has which value at which path (docs/design/index.md).
//
//   [index id 4][partition 4][path 16][value][creation 5]
//
// Partition and creation are the two halves of the item number. An item that is left out of the index has one entry: at
// the root path, without a value. The values of these keys are empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/records/ids/ids.h"
#include "engine/records/index/path_number.h"

namespace lapse::engine {

// From the counter that ids of containers come from. 0: none.
using IndexId = ContainerId;

constexpr size_t kIndexPrefixBytes = sizeof(IndexId) + sizeof(PartitionNumber);
// Everything before the value.
constexpr size_t kIndexPathBytes = kIndexPrefixBytes + kPathNumberBytes;
constexpr size_t kCreationBytes = kCreationBits / 8;

// What is in an index of the items of one partition.
std::string IndexPrefix(IndexId index, PartitionNumber partition);
// And of these, what is at one path.
std::string IndexPathPrefix(IndexId index, PartitionNumber partition, const PathNumber& path);
// And of these, where those with this value begin, or with a value that begins like it.
std::string IndexBound(IndexId index, PartitionNumber partition, const PathNumber& path, std::string_view value);
// `path_and_value` are what an entry is about: the bytes of a path and of a value.
std::string IndexKey(IndexId index, std::string_view path_and_value, ItemNumber item);
// Puts the creation of an item behind a value.
void PutCreation(std::string* out, ItemNumber item);

struct IndexKeyParts {
  IndexId index = 0;
  PathNumber path{};
  std::string_view value;  // of the key
  ItemNumber item = 0;
};
// False when the key is too short, names an item that cannot be, or has a value where there can be none, or none where
// there must be one. Does not look into the value.
bool SplitIndexKey(std::string_view key, IndexKeyParts* parts);

}  // namespace lapse::engine
