// Compares random geometries with a second method. In a projection from the centre of the earth onto a tangent plane,
// every arc is a straight line. So within half of the earth plane geometry gives the same results.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "query/functions/ellipsoid.h"
#include "query/functions/geometry.h"
#include "query/functions/prepared_geometry.h"
#include "query/functions/spatial_relations.h"

namespace lapse::query {
namespace {

struct PlanePoint {
  double x;
  double y;
};

double Dot(const Vector& a, const Vector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

// The tangent plane at a point of the earth.
class Plane {
 public:
  Plane(double longitude, double latitude) : centre_(DirectionOf(longitude, latitude)) {
    const double across = std::hypot(centre_.x, centre_.y);
    east_ = {-centre_.y / across, centre_.x / across, 0};
    north_ = {-centre_.z * east_.y, centre_.z * east_.x, centre_.x * east_.y - centre_.y * east_.x};
  }
  PlanePoint Seen(const GeoPoint& point) const {
    const double depth = Dot(point.direction, centre_);
    return {Dot(point.direction, east_) / depth, Dot(point.direction, north_) / depth};
  }

 private:
  Vector centre_;
  Vector east_;
  Vector north_;
};

bool IsInside(const std::vector<PlanePoint>& ring, const PlanePoint& point) {
  bool inside = false;
  for (size_t i = 0; i + 1 < ring.size(); ++i) {
    const PlanePoint& a = ring[i];
    const PlanePoint& b = ring[i + 1];
    if ((a.y > point.y) == (b.y > point.y)) continue;
    if (point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

class SpatialModelTest : public testing::Test {
 protected:
  double Between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

  GeoPoint At(double longitude, double latitude) {
    longitude = std::remainder(longitude, 360.0);
    GeoPoint point;
    point.longitude = longitude;
    point.latitude = latitude;
    point.direction = DirectionOf(longitude, latitude);
    return point;
  }

  // A star around a point. Its points are in the order of their angles, so it is simple and runs counter-clockwise.
  std::vector<GeoPoint> Star(double longitude, double latitude, double size) {
    const int count = 3 + static_cast<int>(random_() % 12);
    std::vector<GeoPoint> ring;
    for (int i = 0; i < count; ++i) {
      const double angle = 2 * std::numbers::pi * (i + Between(0, 0.9)) / count;
      const double radius = size * Between(0.3, 1);
      ring.push_back(At(longitude + radius * std::cos(angle) / std::cos(latitude * std::numbers::pi / 180),
                        latitude + radius * std::sin(angle)));
    }
    ring.push_back(ring.front());
    return ring;
  }

  static PreparedGeometry Polygon(const GeoRing& ring, GeoPolygon* polygon, Arena* arena) {
    *polygon = GeoPolygon(&ring, 1);
    Geometry geometry;
    geometry.type = Geometry::Type::kPolygons;
    geometry.polygons = std::span<const GeoPolygon>(polygon, 1);
    return Prepared(geometry, arena);
  }
  static PreparedGeometry Prepared(const Geometry& geometry, Arena* arena) {
    PreparedGeometry prepared;
    EXPECT_TRUE(Prepare(geometry, arena, &prepared));
    return prepared;
  }

  std::mt19937 random_{7};
};

TEST_F(SpatialModelTest, WhatIsInAPolygonIsInItOnThePlane) {
  int inside = 0;
  for (int round = 0; round < 300; ++round) {
    const double longitude = Between(-180, 180);
    const double latitude = Between(-75, 75);
    const double size = round % 2 == 0 ? Between(0.001, 0.1) : Between(1, 10);
    const std::vector<GeoPoint> ring = Star(longitude, latitude, size);
    const Plane plane(longitude, latitude);
    std::vector<PlanePoint> seen;
    for (const GeoPoint& point : ring) seen.push_back(plane.Seen(point));
    Arena arena(1 << 20);
    PreparedRing prepared;
    ASSERT_TRUE(prepared.Prepare(ring, &arena));
    for (int i = 0; i < 100; ++i) {
      const GeoPoint point = At(longitude + Between(-1.5, 1.5) * size, latitude + Between(-1.2, 1.2) * size);
      const bool expected = IsInside(seen, plane.Seen(point));
      ASSERT_EQ(prepared.PlaceOf(point) != Place::kOutside, expected)
          << round << ": " << point.longitude << " " << point.latitude;
      inside += expected ? 1 : 0;
    }
    // Far away nothing is inside. For the reversed ring everything is.
    EXPECT_EQ(prepared.PlaceOf(At(longitude + 180, -latitude)), Place::kOutside);
    const std::vector<GeoPoint> reversed(ring.rbegin(), ring.rend());
    PreparedRing rest;
    ASSERT_TRUE(rest.Prepare(reversed, &arena));
    EXPECT_EQ(rest.PlaceOf(At(longitude + 180, -latitude)), Place::kInside);
  }
  EXPECT_GT(inside, 1000);
}

TEST_F(SpatialModelTest, DistancesAreThoseToTheNearestOfManyPoints) {
  for (int round = 0; round < 40; ++round) {
    const double longitude = Between(-180, 180);
    const double latitude = Between(-70, 70);
    const GeoPoint from = At(longitude, latitude);
    const GeoPoint a = At(longitude + Between(-3, 3), latitude + Between(0.5, 3));
    const GeoPoint b = At(longitude + Between(-3, 3), latitude + Between(0.5, 3));
    constexpr int kPoints = 2000;
    double nearest = HUGE_VAL;
    for (int i = 0; i <= kPoints; ++i) {
      const double part = static_cast<double>(i) / kPoints;
      const Vector& u = a.direction;
      const Vector& v = b.direction;
      const GeoPoint between =
          PointAt(Middle({u.x * (1 - part), u.y * (1 - part), u.z * (1 - part)}, {v.x * part, v.y * part, v.z * part}));
      nearest = std::min(nearest, GeodesicDistance(from, between));
    }
    const GeoPoint line[] = {a, b};
    Geometry geometry;
    geometry.type = Geometry::Type::kLine;
    geometry.points = line;
    Geometry point;
    point.points = std::span<const GeoPoint>(&from, 1);
    Arena arena(1 << 20);
    const PreparedGeometry prepared_point = Prepared(point, &arena);
    const PreparedGeometry prepared_line = Prepared(geometry, &arena);
    const double distance = DistanceBetween(prepared_point, prepared_line);
    // The gaps between the points, and the two kinds of shortest paths, add up to some metres.
    EXPECT_NEAR(distance, nearest, 15) << round;
    EXPECT_NEAR(DistanceBetween(prepared_line, prepared_point), distance, 1e-6);
  }
}

TEST_F(SpatialModelTest, WithinMeansIntersectsAndNoDistance) {
  int within = 0;
  int apart = 0;
  for (int round = 0; round < 500; ++round) {
    const double longitude = Between(-180, 180);
    const double latitude = Between(-60, 60);
    const std::vector<GeoPoint> large = Star(longitude, latitude, 5);
    const std::vector<GeoPoint> small = Star(longitude + Between(-8, 8), latitude + Between(-8, 8), Between(0.2, 2));
    const GeoRing large_ring(large);
    const GeoRing small_ring(small);
    GeoPolygon large_polygon;
    GeoPolygon small_polygon;
    Arena arena(4 << 20);
    const PreparedGeometry a = Polygon(small_ring, &small_polygon, &arena);
    const PreparedGeometry b = Polygon(large_ring, &large_polygon, &arena);
    EXPECT_EQ(CheckRings(a.geometry), nullptr);
    const bool meets = Intersects(a, b);
    EXPECT_EQ(Intersects(b, a), meets);
    EXPECT_EQ(DistanceBetween(a, b) == 0, meets);
    if (IsWithin(a, b)) {
      EXPECT_TRUE(meets);
      EXPECT_LE(AreaOf(a.geometry), AreaOf(b.geometry));
      EXPECT_FALSE(IsWithin(b, a));
      ++within;
    }
    apart += meets ? 0 : 1;
    // A polygon is within itself.
    EXPECT_TRUE(IsWithin(a, a));
  }
  EXPECT_GT(within, 20);
  EXPECT_GT(apart, 20);
}

}  // namespace
}  // namespace lapse::query
