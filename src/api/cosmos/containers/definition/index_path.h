// Paths of an indexing policy, as the service reads them: `/address/city/?`, `/tags/[]/?`, `/"first-name"/*`.
//
// A label consists of letters, digits and underscores, or of anything in quotes. `[]` stands for the elements of an
// array. The last step is `?`, the value at the path, or `*`, everything below it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace lapse::api::cosmos {

// Items are not nested deeper than this, so a longer path leads to nothing.
constexpr size_t kIndexPathNamesMax = 128;

struct IndexPath {
  std::vector<std::string> names;  // an array step is engine::IndexingDefinition::kElement
  bool one_value = false;          // `?`

  bool operator==(const IndexPath&) const = default;
};

// Reads a path of includedPaths, excludedPaths or spatialIndexes. Fails: kInvalidArgument, with the position.
Result<IndexPath> ReadIndexPath(std::string_view text);

// Reads a path of a composite index: names only, optionally with `/?`. Fails: kInvalidArgument, with the position.
Result<std::vector<std::string>> ReadCompositePath(std::string_view text);

}  // namespace lapse::api::cosmos
