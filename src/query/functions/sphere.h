// Points of the earth as directions from its centre, and the arcs between them.
//
// The directions are those of points on the ellipsoid, so an arc is where a plane through the centre cuts the
// ellipsoid.
// This is not quite the shortest path: the two differ by at most 7 mm for points that are 10 km apart, 0.7 m for 100
// km,
// and 66 m for 1,000 km.
#pragma once

#include <span>

namespace lapse::query {

struct Vector {
  double x = 0;
  double y = 0;
  double z = 0;
};

// Points closer than this touch, in radians: some 6 micrometres on the ground.
inline constexpr double kTouchAngle = 1e-12;

Vector DirectionOf(double longitude, double latitude);
// Returns radians.
double AngleBetween(const Vector& a, const Vector& b);
// Returns false only if the angle between the two is larger. Quick: it compares the chord, which is never longer than
// the arc.
inline bool MayBeWithin(const Vector& a, const Vector& b, double angle) {
  const double x = a.x - b.x;
  const double y = a.y - b.y;
  const double z = a.z - b.z;
  return x * x + y * y + z * z <= angle * angle;
}
// Returns the angle from a point to the nearest point of the arc from `a` to `b`, in radians.
double AngleToArc(const Vector& point, const Vector& a, const Vector& b);
// Whether two arcs cross or touch.
bool ArcsMeet(const Vector& a, const Vector& b, const Vector& c, const Vector& d);
// Whether they cross at an interior point of both.
bool ArcsCross(const Vector& a, const Vector& b, const Vector& c, const Vector& d);
Vector Middle(const Vector& a, const Vector& b);

}  // namespace lapse::query
