// GeoJSON as points on the earth: Point, LineString, Polygon and MultiPolygon, as [longitude, latitude] in degrees of
// WGS-84.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "query/functions/sphere.h"
#include "query/values/arena.h"
#include "query/values/value.h"

namespace lapse::query {

struct GeoPoint {
  double longitude = 0;
  double latitude = 0;
  Vector direction;  // from the centre of the earth
};

// The first point is repeated at the end.
using GeoRing = std::span<const GeoPoint>;
// The outer ring first, then the holes.
using GeoPolygon = std::span<const GeoRing>;

struct Geometry {
  enum class Type { kPoint, kLine, kPolygons };
  Type type = Type::kPoint;
  std::span<const GeoPoint> points;      // of a point or a line
  std::span<const GeoPolygon> polygons;  // of a polygon or several
};

// The most points that a line or a ring may have.
inline constexpr size_t kGeoPointsMax = 4096;

// Checks the form: types, numbers, ranges, counts, closed rings. The geometry lives in the arena. Returns null if it is
// valid, else what is wrong, for people. The arena may be exhausted afterwards.
const char* ReadGeometry(Value value, Arena* arena, Geometry* geometry);

// Checks that the rings of polygons are simple: none touches or crosses itself, or crosses another ring of its polygon.
// Returns null if they are, else what is wrong.
const char* CheckRings(const Geometry& geometry);

}  // namespace lapse::query
