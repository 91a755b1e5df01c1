// Which values of a container's items have index entries, by its definition: what a write pays for besides its size.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engine/catalog/indexing_definition.h"

namespace lapse::engine {

struct PathNode;

// Immutable. Threads: any.
class IndexedPaths {
 public:
  // Values in the property that is left out have no entries.
  IndexedPaths(const IndexingDefinition& definition, std::string_view left_out);
  ~IndexedPaths();
  IndexedPaths(const IndexedPaths&) = delete;
  IndexedPaths& operator=(const IndexedPaths&) = delete;

  // One for each single value of the document that is indexed, and one for each composite index.
  int64_t CountEntries(std::string_view document) const;

 private:
  std::unique_ptr<const PathNode> root_;  // null: no index at all
  const int64_t composites_;
  const std::string left_out_;
};

}  // namespace lapse::engine
