#include "query/functions/spatial_relations.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "query/functions/ellipsoid.h"

namespace lapse::query {
namespace {

using Piece = PreparedPiece;

// Stops and returns true as soon as the visitor does.
template <typename Visitor>
bool AnyEdge(const Piece& piece, Visitor visit) {
  if (piece.polygon == nullptr) return std::any_of(piece.edges.begin(), piece.edges.end(), visit);
  for (const PreparedRing& ring : piece.polygon->rings()) {
    if (std::any_of(ring.edges().begin(), ring.edges().end(), visit)) return true;
  }
  return false;
}

template <typename Visitor>
bool AnyPoint(const Piece& piece, Visitor visit) {
  if (piece.polygon == nullptr) return std::any_of(piece.points.begin(), piece.points.end(), visit);
  return AnyEdge(piece, [&visit](const PreparedEdge& edge) { return visit(*edge.begin); });
}

bool MayBeNear(const PreparedEdge& edge, const Vector& direction, double angle) {
  return MayBeWithin(edge.middle, direction, edge.half_angle + angle);
}

bool IsOnEdge(const PreparedEdge& edge, const Vector& direction) {
  return MayBeNear(edge, direction, kTouchAngle) &&
         AngleToArc(direction, edge.begin->direction, edge.end->direction) <= kTouchAngle;
}

Place PlaceIn(const Piece& piece, const GeoPoint& point) {
  if (piece.polygon != nullptr) return piece.polygon->PlaceOf(point);
  const auto touches = [&point](const PreparedEdge& edge) { return IsOnEdge(edge, point.direction); };
  if (AnyEdge(piece, touches)) return Place::kBoundary;
  const bool same = piece.points.size() == 1 && AngleBetween(piece.points[0].direction, point.direction) <= kTouchAngle;
  return same ? Place::kBoundary : Place::kOutside;
}

bool EdgesCross(const Piece& a, const Piece& b) {
  return AnyEdge(a, [&b](const PreparedEdge& first) {
    return AnyEdge(b, [&first](const PreparedEdge& second) {
      return MayBeNear(first, second.middle, second.half_angle) &&
             ArcsCross(first.begin->direction, first.end->direction, second.begin->direction, second.end->direction);
    });
  });
}

// If no edges cross, two pieces meet only if a point of one is in the other.
bool PiecesMeet(const Piece& a, const Piece& b) {
  const auto in = [](const Piece& piece) {
    return [&piece](const GeoPoint& point) { return PlaceIn(piece, point) != Place::kOutside; };
  };
  return EdgesCross(a, b) || AnyPoint(a, in(b)) || AnyPoint(b, in(a));
}

bool IsPieceWithin(const Piece& a, const Piece& b) {
  // A polygon is never within a point or a line.
  if (a.polygon != nullptr && b.polygon == nullptr) return false;
  if (a.points.size() > 1 && b.points.size() == 1) return false;
  const auto outside = [&b](const GeoPoint& point) { return PlaceIn(b, point) == Place::kOutside; };
  if (AnyPoint(a, outside)) return false;
  // Both ends may be on the boundary, with the part between them outside.
  if (AnyEdge(a, [&](const PreparedEdge& edge) { return outside(PointAt(edge.middle)); })) return false;
  if (b.polygon == nullptr) return true;
  if (EdgesCross(a, b)) return false;
  // A hole of `b`, or its whole ring, may be within `a`.
  return a.polygon == nullptr ||
         !AnyPoint(b, [&a](const GeoPoint& point) { return PlaceIn(a, point) == Place::kInside; });
}

// Finds the nearest pairs by angle, which as a measure of distance is wrong by less than this fraction.
constexpr double kAngleError = 0.01;

class NearestPairs {
 public:
  NearestPairs(const Piece& a, const Piece& b) : a_(a), b_(b) {}

  double Distance() {
    FindAngle(a_, b_);
    FindAngle(b_, a_);
    // The touch angle keeps the limit above zero for points at the same place.
    limit_ = best_angle_ * (1 + kAngleError) + kTouchAngle;
    Measure(a_, b_);
    Measure(b_, a_);
    return distance_m_;
  }

 private:
  void FindAngle(const Piece& from, const Piece& to) {
    AnyPoint(from, [&](const GeoPoint& point) {
      if (to.points.size() == 1) {
        best_angle_ = std::min(best_angle_, AngleBetween(point.direction, to.points[0].direction));
      }
      return AnyEdge(to, [&](const PreparedEdge& edge) {
        if (MayBeNear(edge, point.direction, best_angle_)) {
          best_angle_ = std::min(best_angle_, AngleToArc(point.direction, edge.begin->direction, edge.end->direction));
        }
        return false;
      });
    });
  }

  void Measure(const Piece& from, const Piece& to) {
    AnyPoint(from, [&](const GeoPoint& point) {
      if (to.points.size() == 1) distance_m_ = std::min(distance_m_, GeodesicDistance(point, to.points[0]));
      return AnyEdge(to, [&](const PreparedEdge& edge) {
        if (MayBeNear(edge, point.direction, limit_) &&
            AngleToArc(point.direction, edge.begin->direction, edge.end->direction) <= limit_) {
          distance_m_ = std::min(distance_m_, GeodesicDistanceToLine(point, *edge.begin, *edge.end));
        }
        return false;
      });
    });
  }

  const Piece& a_;
  const Piece& b_;
  double best_angle_ = std::numbers::pi;
  double limit_ = 0;
  double distance_m_ = HUGE_VAL;
};

}  // namespace

bool Intersects(const PreparedGeometry& a, const PreparedGeometry& b) {
  return std::any_of(a.pieces.begin(), a.pieces.end(), [&b](const Piece& first) {
    return std::any_of(b.pieces.begin(), b.pieces.end(),
                       [&first](const Piece& second) { return PiecesMeet(first, second); });
  });
}

bool IsWithin(const PreparedGeometry& a, const PreparedGeometry& b) {
  return std::all_of(a.pieces.begin(), a.pieces.end(), [&b](const Piece& first) {
    return std::any_of(b.pieces.begin(), b.pieces.end(),
                       [&first](const Piece& second) { return IsPieceWithin(first, second); });
  });
}

double DistanceBetween(const PreparedGeometry& a, const PreparedGeometry& b) {
  if (a.geometry.points.size() == 1 && b.geometry.points.size() == 1) {
    return GeodesicDistance(a.geometry.points[0], b.geometry.points[0]);
  }
  double distance = HUGE_VAL;
  for (const Piece& first : a.pieces) {
    for (const Piece& second : b.pieces) {
      if (PiecesMeet(first, second)) return 0;
      distance = std::min(distance, NearestPairs(first, second).Distance());
    }
  }
  return distance;
}

double AreaOf(const Geometry& geometry) {
  double area = 0;
  for (const GeoPolygon& polygon : geometry.polygons) {
    area += GeodesicArea(polygon[0]);
    for (const GeoRing& hole : polygon.subspan(1)) {
      const double left = GeodesicArea(hole);
      area -= std::min(left, EarthArea() - left);
    }
  }
  return area;
}

}  // namespace lapse::query
