#include "query/functions/sphere.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lapse::query {
namespace {

constexpr double kRadian = std::numbers::pi / 180;
// The WGS-84 ellipsoid.
constexpr double kFlattening = 1 / 298.257223563;
constexpr double kAxesSquared = (1 - kFlattening) * (1 - kFlattening);

Vector Cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

double Dot(const Vector& a, const Vector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

double Length(const Vector& a) {
  return std::sqrt(Dot(a, a));
}

Vector Sum(const Vector& a, const Vector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

Vector Difference(const Vector& a, const Vector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

Vector Unit(const Vector& a) {
  const double length = Length(a);
  return length == 0 ? a : Vector{a.x / length, a.y / length, a.z / length};
}

// Returns the normal of an arc's plane. Computed from sum and difference, which for points that are close together
// loses fewer digits than the product of the points themselves.
Vector NormalOf(const Vector& a, const Vector& b) {
  return Cross(Sum(b, a), Difference(b, a));
}

}  // namespace

Vector DirectionOf(double longitude, double latitude) {
  const double phi = latitude * kRadian;
  const double lambda = longitude * kRadian;
  // Exact at a pole and on the axes, whatever the rounding of the angles.
  const double across = std::abs(latitude) == 90 ? 0 : std::cos(phi);
  return Unit({across * std::cos(lambda), across * std::sin(lambda), kAxesSquared * std::sin(phi)});
}

double AngleBetween(const Vector& a, const Vector& b) {
  return std::atan2(Length(Cross(a, b)), Dot(a, b));
}

double AngleToArc(const Vector& point, const Vector& a, const Vector& b) {
  const double to_ends = std::min(AngleBetween(point, a), AngleBetween(point, b));
  const Vector normal = Unit(NormalOf(a, b));
  // The foot of the point is on the arc if it is on the inner side of both ends.
  const bool beside = Dot(Cross(normal, a), point) > 0 && Dot(Cross(b, normal), point) > 0;
  return beside ? std::min(to_ends, std::abs(std::asin(std::clamp(Dot(normal, point), -1.0, 1.0)))) : to_ends;
}

bool ArcsCross(const Vector& a, const Vector& b, const Vector& c, const Vector& d) {
  const Vector first = NormalOf(a, b);
  const double c_side = Dot(first, c);
  const double d_side = Dot(first, d);
  if (c_side * d_side >= 0) return false;
  const Vector second = NormalOf(c, d);
  const double a_side = Dot(second, a);
  const double b_side = Dot(second, b);
  // Two planes meet on both sides of the earth. The arcs must meet on the same side, which the order of turns tells.
  if (a_side * b_side >= 0 || (c_side < 0) != (a_side > 0)) return false;
  // An end that touches the other arc does not cross it, whatever the last digits say.
  const double touch_first = kTouchAngle * Length(first);
  const double touch_second = kTouchAngle * Length(second);
  return std::abs(c_side) > touch_first && std::abs(d_side) > touch_first && std::abs(a_side) > touch_second &&
         std::abs(b_side) > touch_second;
}

bool ArcsMeet(const Vector& a, const Vector& b, const Vector& c, const Vector& d) {
  return ArcsCross(a, b, c, d) || AngleToArc(a, c, d) <= kTouchAngle || AngleToArc(b, c, d) <= kTouchAngle ||
         AngleToArc(c, a, b) <= kTouchAngle || AngleToArc(d, a, b) <= kTouchAngle;
}

Vector Middle(const Vector& a, const Vector& b) {
  return Unit(Sum(a, b));
}

}  // namespace lapse::query
