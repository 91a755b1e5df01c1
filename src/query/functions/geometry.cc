#include "query/functions/geometry.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lapse::query {
namespace {

constexpr const char* kNoRoom = "There is not enough memory for the geometry.";

const char* ReadPosition(Value value, GeoPoint* point) {
  if (!value.IsArray()) return "A position must be an array of numbers.";
  Elements numbers(value);
  const auto longitude = numbers.Next();
  const auto latitude = numbers.Next();
  if (!longitude || !latitude || !longitude->IsNumber() || !latitude->IsNumber()) {
    return "A position must have a longitude and a latitude.";
  }
  // An altitude may follow. It is ignored.
  const auto height = numbers.Next();
  if ((height && !height->IsNumber()) || (height && numbers.Next()))
    return "A position must have two or three numbers.";
  point->longitude = longitude->AsDouble();
  point->latitude = latitude->AsDouble();
  if (!(std::abs(point->latitude) <= 90)) return "Latitude values must be between -90 and 90 degrees.";
  if (!(std::abs(point->longitude) <= 180)) return "Longitude values must be between -180 and 180 degrees.";
  point->direction = DirectionOf(point->longitude, point->latitude);
  return nullptr;
}

const char* ReadPositions(Value value, Arena* arena, std::span<const GeoPoint>* points) {
  if (!value.IsArray()) return "The coordinates must be an array of positions.";
  const size_t count = CountOf(value);
  if (count > kGeoPointsMax) return "A line or ring must not have more than 4096 points.";
  GeoPoint* made = NewArray<GeoPoint>(arena, count);
  if (made == nullptr) return kNoRoom;
  Elements positions(value);
  for (size_t i = 0; i < count; ++i) {
    if (const char* problem = ReadPosition(*positions.Next(), &made[i])) return problem;
  }
  *points = {made, count};
  return nullptr;
}

const char* ReadRing(Value value, Arena* arena, GeoRing* ring) {
  if (const char* problem = ReadPositions(value, arena, ring)) return problem;
  if (ring->size() < 4) return "A ring must have at least four points.";
  const GeoPoint& first = ring->front();
  const GeoPoint& last = ring->back();
  if (first.longitude != last.longitude || first.latitude != last.latitude) {
    return "The first and the last point of a ring must be the same.";
  }
  return nullptr;
}

const char* ReadPolygon(Value value, Arena* arena, GeoPolygon* polygon) {
  if (!value.IsArray()) return "The coordinates of a polygon must be an array of rings.";
  const size_t count = CountOf(value);
  if (count == 0) return "A polygon must have a ring.";
  GeoRing* rings = NewArray<GeoRing>(arena, count);
  if (rings == nullptr) return kNoRoom;
  Elements elements(value);
  size_t points = 0;
  for (size_t i = 0; i < count; ++i) {
    if (const char* problem = ReadRing(*elements.Next(), arena, &rings[i])) return problem;
    points += rings[i].size();
    if (points > kGeoPointsMax) return "A polygon must not have more than 4096 points.";
  }
  *polygon = {rings, count};
  return nullptr;
}

const char* ReadPolygons(Value value, Arena* arena, std::span<const GeoPolygon>* polygons) {
  if (!value.IsArray()) return "The coordinates of a MultiPolygon must be an array of polygons.";
  const size_t count = CountOf(value);
  if (count == 0) return "A MultiPolygon must have a polygon.";
  GeoPolygon* made = NewArray<GeoPolygon>(arena, count);
  if (made == nullptr) return kNoRoom;
  Elements elements(value);
  for (size_t i = 0; i < count; ++i) {
    if (const char* problem = ReadPolygon(*elements.Next(), arena, &made[i])) return problem;
  }
  *polygons = {made, count};
  return nullptr;
}

const char* ReadOnePolygon(Value value, Arena* arena, std::span<const GeoPolygon>* polygons) {
  GeoPolygon* made = NewArray<GeoPolygon>(arena, 1);
  if (made == nullptr) return kNoRoom;
  *polygons = {made, 1};
  return ReadPolygon(value, arena, made);
}

const char* ReadPoint(Value value, Arena* arena, std::span<const GeoPoint>* points) {
  GeoPoint* made = NewArray<GeoPoint>(arena, 1);
  if (made == nullptr) return kNoRoom;
  *points = {made, 1};
  return ReadPosition(value, made);
}

const char* ReadLine(Value value, Arena* arena, std::span<const GeoPoint>* points) {
  if (const char* problem = ReadPositions(value, arena, points)) return problem;
  return points->size() < 2 ? "A LineString must have at least two points." : nullptr;
}

// An edge of a polygon, with the heights that it covers. Edges that share no height cannot meet.
struct Edge {
  const GeoPoint* begin;
  const GeoPoint* end;
  double low;
  double high;
  size_t ring;
  size_t place;       // in its ring
  size_t ring_edges;  // how many the ring has
};

// An arc bends toward the pole beyond both of its ends, always by less than half its length.
Edge EdgeOf(const GeoPoint& begin, const GeoPoint& end, size_t ring, size_t place, size_t ring_edges) {
  const double bend = AngleBetween(begin.direction, end.direction) / 2;
  const auto [low, high] = std::minmax(begin.direction.z, end.direction.z);
  return {&begin, &end, low - bend, high + bend, ring, place, ring_edges};
}

bool AreNeighbours(const Edge& a, const Edge& b) {
  if (a.ring != b.ring) return false;
  const size_t apart = a.place > b.place ? a.place - b.place : b.place - a.place;
  return apart == 1 || apart == a.ring_edges - 1;
}

// Neighbours share a point. They must not overlap.
bool Overlap(const Edge& a, const Edge& b) {
  const bool a_first = a.end == b.begin || (a.place + 1) % a.ring_edges == b.place;
  const Edge& first = a_first ? a : b;
  const Edge& second = a_first ? b : a;
  return AngleToArc(second.end->direction, first.begin->direction, first.end->direction) <= kTouchAngle ||
         AngleToArc(first.begin->direction, second.begin->direction, second.end->direction) <= kTouchAngle;
}

bool Cross(const Edge& a, const Edge& b) {
  return ArcsCross(a.begin->direction, a.end->direction, b.begin->direction, b.end->direction);
}

bool Meet(const Edge& a, const Edge& b) {
  return ArcsMeet(a.begin->direction, a.end->direction, b.begin->direction, b.end->direction);
}

// A repeated point makes an edge without length, which is left out.
std::vector<Edge> EdgesOf(const GeoPolygon& polygon) {
  std::vector<Edge> edges;
  for (size_t r = 0; r < polygon.size(); ++r) {
    const size_t first = edges.size();
    for (size_t i = 0; i + 1 < polygon[r].size(); ++i) {
      if (AngleBetween(polygon[r][i].direction, polygon[r][i + 1].direction) <= kTouchAngle) continue;
      edges.push_back(EdgeOf(polygon[r][i], polygon[r][i + 1], r, edges.size() - first, 0));
    }
    for (size_t i = first; i < edges.size(); ++i) edges[i].ring_edges = edges.size() - first;
  }
  return edges;
}

const char* CheckPolygon(const GeoPolygon& polygon) {
  std::vector<Edge> edges = EdgesOf(polygon);
  for (const Edge& edge : edges) {
    if (edge.ring_edges < 3) return "A ring must have at least three different points.";
  }
  if (edges.empty()) return "A ring must have at least three different points.";
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.low < b.low; });
  for (size_t i = 0; i < edges.size(); ++i) {
    for (size_t j = i + 1; j < edges.size() && edges[j].low <= edges[i].high; ++j) {
      const Edge& a = edges[i];
      const Edge& b = edges[j];
      if (AreNeighbours(a, b)) {
        if (Overlap(a, b)) return "The ring of a polygon must not go back on itself.";
      } else if (a.ring != b.ring) {
        if (Cross(a, b)) return "The rings of a polygon must not cross each other.";
      } else if (Meet(a, b)) {
        return "The ring of a polygon must not cross or touch itself.";
      }
    }
  }
  return nullptr;
}

}  // namespace

const char* ReadGeometry(Value value, Arena* arena, Geometry* geometry) {
  if (!value.IsObject()) return "A geometry must be an object.";
  const Value type = Property(value, "type");
  if (!type.IsString()) return "A geometry must have a type.";
  const Value coordinates = Property(value, "coordinates");
  if (!coordinates.IsArray()) return "A geometry must have an array of coordinates.";
  const std::string_view name = type.AsString();
  if (name == "Point") {
    geometry->type = Geometry::Type::kPoint;
    return ReadPoint(coordinates, arena, &geometry->points);
  }
  if (name == "LineString") {
    geometry->type = Geometry::Type::kLine;
    return ReadLine(coordinates, arena, &geometry->points);
  }
  geometry->type = Geometry::Type::kPolygons;
  if (name == "Polygon") return ReadOnePolygon(coordinates, arena, &geometry->polygons);
  if (name == "MultiPolygon") return ReadPolygons(coordinates, arena, &geometry->polygons);
  return "The type of a geometry must be Point, LineString, Polygon or MultiPolygon.";
}

const char* CheckRings(const Geometry& geometry) {
  for (const GeoPolygon& polygon : geometry.polygons) {
    if (const char* problem = CheckPolygon(polygon)) return problem;
  }
  return nullptr;
}

}  // namespace lapse::query
