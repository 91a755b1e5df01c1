// Geometries that a query uses repeatedly: those in its text and its parameters.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "query/functions/prepared_geometry.h"

namespace lapse::query {

// Identifies a geometry by its bytes. It keeps two, the most that a call has. It keeps one only after two calls found
// the same bytes at the same address, which is usual for constants and rare for items. The cache owns its entries and
// limits them. Threads: one.
class GeometryCache {
 public:
  // Reading a smaller geometry, such as a point, takes no longer than finding it here.
  static constexpr size_t kKeptBytesMin = 200;
  static constexpr size_t kKeptBytesMax = size_t{1} << 20;
  static constexpr size_t kPreparedBytesMax = size_t{4} << 20;

  // Returns a cached geometry, or makes one in the arena and in `own`. Returns null if the value is not a geometry, or
  // if the arena has no room. Valid until the second call after this one.
  const PreparedGeometry* Get(Value value, Arena* arena, PreparedGeometry* own);

  // The number of times a geometry was found.
  uint64_t hits() const { return hits_; }

 private:
  struct Entry {
    const char* seen = nullptr;  // address where the bytes were; never dereferenced
    std::string bytes;           // empty: unused entry
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
