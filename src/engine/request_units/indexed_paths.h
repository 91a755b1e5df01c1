// Which properties of a container's items have index entries, by its indexing policy: what a write pays for besides
// its size.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace lapse::engine {

struct PathNode;

// Immutable. Threads: any.
class IndexedPaths {
 public:
  // `properties` is a container's document; its indexingPolicy counts. One that is missing, has the mode `none` or
  // cannot be read means no index at all. Of several paths that fit a value the longest decides: `/a/?` is the value at
  // /a, `/a/*` all below it, `/a/[]` the elements of an array. Paths that cannot be read are passed over.
  explicit IndexedPaths(std::string_view properties);
  ~IndexedPaths();
  IndexedPaths(const IndexedPaths&) = delete;
  IndexedPaths& operator=(const IndexedPaths&) = delete;

  // One for each single value of the document that is indexed, and one for each composite index. The property `ttl`
  // has none.
  int64_t CountEntries(std::string_view document) const;

 private:
  std::unique_ptr<const PathNode> root_;  // null: no index at all
  int64_t composites_ = 0;
};

}  // namespace lapse::engine
