// Paths of an indexing policy, as the service reads them: `/address/city/?`, `/tags/[]/?`, `/"first-name"/*`.
//
// A label is letters, digits and underscores, or anything in quotes; `[]` stands for the elements of an array. The last
// step is `?`, the value at the path, or `*`, everything below it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace lapse::api::cosmos {

// No item is nested deeper, so nothing lies at a longer path.
constexpr size_t kIndexPathNamesMax = 128;

struct IndexPath {
  std::vector<std::string> names;  // an element step as engine::IndexingDefinition::kElement
  bool one_value = false;          // `?`

  bool operator==(const IndexPath&) const = default;
};

// Of includedPaths, excludedPaths and spatialIndexes. Fails: kInvalidArgument, with the position.
Result<IndexPath> ReadIndexPath(std::string_view text);

// Of a composite index: names alone, and maybe `/?`. Fails: kInvalidArgument, with the position.
Result<std::vector<std::string>> ReadCompositePath(std::string_view text);

}  // namespace lapse::api::cosmos
