// Geometries that a query asks about again and again: those of its text and its parameters.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "query/functions/prepared_geometry.h"

namespace lapse::query {

// Knows a geometry by its bytes. It keeps two, the most that a call has, once their bytes were seen at the same place
// in two calls: those of constants are, those of items seldom. What is kept is the cache's own and bounded. Threads:
// one.
class GeometryCache {
 public:
  // Points and the like are read as quickly as they are found.
  static constexpr size_t kKeptBytesMin = 200;
  static constexpr size_t kKeptBytesMax = size_t{1} << 20;
  static constexpr size_t kPreparedBytesMax = size_t{4} << 20;

  // What is not kept is made in the arena and in `own`. Null when the value is no geometry, or the arena has no room.
  // Good until the second call after it.
  const PreparedGeometry* Get(Value value, Arena* arena, PreparedGeometry* own);

  // How many times a geometry was found.
  uint64_t hits() const { return hits_; }

 private:
  struct Entry {
    const char* seen = nullptr;  // where bytes were; never looked at
    std::string bytes;           // empty: nothing is kept
    std::unique_ptr<Arena> arena;
    PreparedGeometry geometry;
    uint64_t last_use = 0;
  };
  static bool Keep(Value value, Entry* entry);

  std::array<Entry, 2> entries_;
  uint64_t calls_ = 0;
  uint64_t hits_ = 0;
};

}  // namespace lapse::query
