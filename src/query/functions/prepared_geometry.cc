#include "query/functions/prepared_geometry.h"

#include <cmath>
#include <numbers>

namespace lapse::query {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

// Returns how far east `to` is of `from`, in [0, 360). The antimeridian has two names, and the distance to a meridian
// must be the same by both, to the last bit.
double EastOf(double from, double to) {
  const auto named_once = [](double longitude) { return longitude == -180 ? 180 : longitude; };
  double degrees = named_once(to) - named_once(from);
  if (degrees < 0) degrees += 360;
  return degrees >= 360 ? degrees - 360 : degrees;
}

double TangentOf(const Vector& direction) {
  return direction.z / std::hypot(direction.x, direction.y);
}

PreparedEdge EdgeBetween(const GeoPoint& begin, const GeoPoint& end) {
  return {&begin, &end, Middle(begin.direction, end.direction), AngleBetween(begin.direction, end.direction) / 2};
}

bool PrepareLine(std::span<const GeoPoint> points, Arena* arena, PreparedPiece* piece) {
  piece->points = points;
  const size_t count = points.size() - 1;
  auto* edges = NewArray<PreparedEdge>(arena, count);
  if (edges == nullptr) return false;
  for (size_t i = 0; i < count; ++i) edges[i] = EdgeBetween(points[i], points[i + 1]);
  piece->edges = {edges, count};
  return true;
}

}  // namespace

bool PreparedRing::Prepare(GeoRing ring, Arena* arena) {
  const size_t count = ring.size() - 1;
  auto* edges = NewArray<PreparedEdge>(arena, count);
  auto* spans = NewArray<Span>(arena, count);
  if (edges == nullptr || spans == nullptr) return false;
  for (size_t i = 0; i < count; ++i) {
    edges[i] = EdgeBetween(ring[i], ring[i + 1]);
    spans[i] = SpanOf(ring[i], ring[i + 1]);
  }
  edges_ = {edges, count};
  spans_ = {spans, count};
  north_pole_inside_ = IsNorthPoleInside();
  return true;
}

PreparedRing::Span PreparedRing::SpanOf(const GeoPoint& begin, const GeoPoint& end) {
  const double east = EastOf(begin.longitude, end.longitude);
  const double begin_tangent = TangentOf(begin.direction);
  const double end_tangent = TangentOf(end.direction);
  if (east <= 180) return {begin.longitude, east, begin_tangent, end_tangent, true};
  return {end.longitude, EastOf(end.longitude, begin.longitude), end_tangent, begin_tangent, false};
}

// Whether the edge crosses this meridian, and at which tangent of the latitude. The western end belongs to the edge,
// the eastern one to the next edge. So a meridian through a point of the ring crosses it once, never twice or not at
// all.
bool PreparedRing::Covers(const Span& span, double longitude, double* tangent) {
  const double east = EastOf(span.west, longitude);
  if (east >= span.width) return false;
  if (east == 0 && span.width != 180) {
    *tangent = span.west_tangent;  // also if the other end is a pole, whose tangent is infinite
    return true;
  }
  const double whole = std::sin(span.width * kDegree);
  if (span.width == 180 || whole == 0) {
    // Half way around: the edge passes over a pole.
    const double sum = span.west_tangent + span.east_tangent;
    *tangent = sum >= 0 ? HUGE_VAL : -HUGE_VAL;
    return true;
  }
  *tangent =
      (span.west_tangent * std::sin((span.width - east) * kDegree) + span.east_tangent * std::sin(east * kDegree)) /
      whole;
  return true;
}

// The interior is just to the left of an edge. From there to the north pole each crossing of the ring switches sides.
bool PreparedRing::IsNorthPoleInside() const {
  const Span* widest = nullptr;
  for (const Span& span : spans_) {
    if (span.width < 180 && (widest == nullptr || span.width > widest->width)) widest = &span;
  }
  if (widest == nullptr) return false;
  double longitude = widest->west + widest->width / 2;
  if (longitude > 180) longitude -= 360;
  double start;
  if (!Covers(*widest, longitude, &start)) return false;
  // The left of an edge that runs east is its north, so the edge itself is not crossed.
  bool inside = widest->runs_east;
  for (const Span& span : spans_) {
    double tangent;
    if (&span != widest && Covers(span, longitude, &tangent) && tangent > start) inside = !inside;
  }
  return inside;
}

Place PreparedRing::PlaceOf(const GeoPoint& point) const {
  for (const PreparedEdge& edge : edges_) {
    // Most edges are too far away to matter.
    if (!MayBeWithin(edge.middle, point.direction, edge.half_angle + kTouchAngle)) continue;
    if (AngleToArc(point.direction, edge.begin->direction, edge.end->direction) <= kTouchAngle) return Place::kBoundary;
  }
  const double own = TangentOf(point.direction);
  bool inside = north_pole_inside_;
  for (const Span& span : spans_) {
    double tangent;
    if (Covers(span, point.longitude, &tangent) && tangent > own) inside = !inside;
  }
  return inside ? Place::kInside : Place::kOutside;
}

bool PreparedPolygon::Prepare(const GeoPolygon& polygon, Arena* arena) {
  auto* rings = NewArray<PreparedRing>(arena, polygon.size());
  auto* hole_is_left = NewArray<bool>(arena, polygon.size());
  if (rings == nullptr || hole_is_left == nullptr) return false;
  for (size_t i = 0; i < polygon.size(); ++i) {
    if (!rings[i].Prepare(polygon[i], arena)) return false;
    hole_is_left[i] = i > 0 && rings[i].PlaceOf(polygon[0][0]) != Place::kInside;
  }
  rings_ = {rings, polygon.size()};
  hole_is_left_ = {hole_is_left, polygon.size()};
  return true;
}

Place PreparedPolygon::PlaceOf(const GeoPoint& point) const {
  const Place outer = rings_[0].PlaceOf(point);
  if (outer != Place::kInside) return outer;
  for (size_t i = 1; i < rings_.size(); ++i) {
    const Place place = rings_[i].PlaceOf(point);
    if (place == Place::kBoundary) return place;
    if ((place == Place::kInside) == hole_is_left_[i]) return Place::kOutside;
  }
  return Place::kInside;
}

bool PrepareGeometry(Value value, Arena* arena, PreparedGeometry* prepared) {
  Geometry geometry;
  return ReadGeometry(value, arena, &geometry) == nullptr && Prepare(geometry, arena, prepared);
}

bool Prepare(const Geometry& geometry, Arena* arena, PreparedGeometry* prepared) {
  const bool has_polygons = geometry.type == Geometry::Type::kPolygons;
  const size_t count = has_polygons ? geometry.polygons.size() : 1;
  auto* pieces = NewArray<PreparedPiece>(arena, count);
  auto* polygons = NewArray<PreparedPolygon>(arena, has_polygons ? count : 0);
  if (pieces == nullptr || polygons == nullptr) return false;
  for (size_t i = 0; i < count; ++i) {
    if (!has_polygons) {
      if (!PrepareLine(geometry.points, arena, &pieces[i])) return false;
      continue;
    }
    if (!polygons[i].Prepare(geometry.polygons[i], arena)) return false;
    pieces[i].polygon = &polygons[i];
  }
  prepared->geometry = geometry;
  prepared->pieces = {pieces, count};
  return true;
}

GeoPoint PointAt(const Vector& direction) {
  constexpr double kFlattening = 1 / 298.257223563;
  GeoPoint point;
  point.direction = direction;
  const double across = std::hypot(direction.x, direction.y);
  point.longitude = std::atan2(direction.y, direction.x) / kDegree;
  point.latitude = std::atan2(direction.z, (1 - kFlattening) * (1 - kFlattening) * across) / kDegree;
  return point;
}

}  // namespace lapse::query
