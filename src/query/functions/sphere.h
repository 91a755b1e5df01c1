// Points of the earth as directions from its centre, and the arcs between them.
//
// The directions are those of the points on the ellipsoid, so that an arc is the cut of a plane through the centre with
// the ellipsoid. It is not quite the shortest way: 7 mm beside it at the worst for points that are 10 km apart, 0.7 m
// for 100 km, 66 m for 1,000 km.
#pragma once

#include <span>

namespace lapse::query {

struct Vector {
  double x = 0;
  double y = 0;
  double z = 0;
};

// What is closer than this counts as touching, in radians: some 6 micrometres on the ground.
inline constexpr double kTouchAngle = 1e-12;

Vector DirectionOf(double longitude, double latitude);
// In radians.
double AngleBetween(const Vector& a, const Vector& b);
// False only when the angle between the two is larger. Quick: it compares the chord, which is never longer than the
// arc.
inline bool MayBeWithin(const Vector& a, const Vector& b, double angle) {
  const double x = a.x - b.x;
  const double y = a.y - b.y;
  const double z = a.z - b.z;
  return x * x + y * y + z * z <= angle * angle;
}
// From a point to the nearest point of the arc from `a` to `b`, in radians.
double AngleToArc(const Vector& point, const Vector& a, const Vector& b);
// Whether two arcs cross or touch.
bool ArcsMeet(const Vector& a, const Vector& b, const Vector& c, const Vector& d);
// Whether they cross at a point within both.
bool ArcsCross(const Vector& a, const Vector& b, const Vector& c, const Vector& d);
Vector Middle(const Vector& a, const Vector& b);

}  // namespace lapse::query
