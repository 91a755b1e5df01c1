// A geometry prepared for queries about its edges and its interior.
#pragma once

#include <cstddef>
#include <span>

#include "query/functions/geometry.h"

namespace lapse::query {

struct PreparedEdge {
  const GeoPoint* begin;
  const GeoPoint* end;
  Vector middle;
  double half_angle;  // from the middle to either end
};

enum class Place { kOutside, kBoundary, kInside };

// The interior of a ring is to its left, so a clockwise ring encloses the rest of the globe.
class PreparedRing {
 public:
  // Returns false if the arena has no room.
  bool Prepare(GeoRing ring, Arena* arena);
  std::span<const PreparedEdge> edges() const { return edges_; }
  Place PlaceOf(const GeoPoint& point) const;

 private:
  // An edge in terms of meridians: it covers those from `west` on over `width` degrees. At its two ends the tangents of
  // the latitude are these.
  struct Span {
    double west;
    double width;
    double west_tangent;
    double east_tangent;
    bool runs_east;
  };
  static Span SpanOf(const GeoPoint& begin, const GeoPoint& end);
  static bool Covers(const Span& span, double longitude, double* tangent);
  bool IsNorthPoleInside() const;

  std::span<const PreparedEdge> edges_;
  std::span<const Span> spans_;
  bool north_pole_inside_ = false;
};

class PreparedPolygon {
 public:
  bool Prepare(const GeoPolygon& polygon, Arena* arena);
  std::span<const PreparedRing> rings() const { return rings_; }
  Place PlaceOf(const GeoPoint& point) const;

 private:
  std::span<const PreparedRing> rings_;
  // A hole is on the side of its ring away from the outer ring, whichever way it runs.
  std::span<const bool> hole_is_left_;
};

// A connected piece of a geometry: a point, a line, or a polygon.
struct PreparedPiece {
  std::span<const GeoPoint> points;  // of a point or a line
  const PreparedPolygon* polygon = nullptr;
  std::span<const PreparedEdge> edges;  // of a line
};

struct PreparedGeometry {
  Geometry geometry;
  std::span<const PreparedPiece> pieces;
};

// Reads and prepares a geometry, all in the arena. Returns false if its form is invalid, or if the arena has no room.
bool PrepareGeometry(Value value, Arena* arena, PreparedGeometry* prepared);
// Prepares a geometry that has been read.
bool Prepare(const Geometry& geometry, Arena* arena, PreparedGeometry* prepared);

// Returns the point of the earth in this direction.
GeoPoint PointAt(const Vector& direction);

}  // namespace lapse::query
