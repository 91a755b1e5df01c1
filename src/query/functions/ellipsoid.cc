#include "query/functions/ellipsoid.h"

#include <GeographicLib/Geodesic.hpp>
#include <GeographicLib/GeodesicLine.hpp>
#include <GeographicLib/PolygonArea.hpp>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace lapse::query {
namespace {

const GeographicLib::Geodesic& Earth() {
  return GeographicLib::Geodesic::WGS84();
}

}  // namespace

double GeodesicDistance(const GeoPoint& a, const GeoPoint& b) {
  double distance;
  Earth().Inverse(a.latitude, a.longitude, b.latitude, b.longitude, distance);
  return distance;
}

// From a point on the line, the direction to `point` tells how far along the line the foot is, as on a sphere. A few
// steps come within a micrometre of it.
double GeodesicDistanceToLine(const GeoPoint& point, const GeoPoint& a, const GeoPoint& b) {
  constexpr int kStepsMax = 40;
  constexpr double kCloseEnough_m = 1e-6;
  constexpr double kRadian = std::numbers::pi / 180;
  constexpr double kRadius_m = 6371008.8;
  const GeographicLib::GeodesicLine line =
      Earth().InverseLine(a.latitude, a.longitude, b.latitude, b.longitude, GeographicLib::Geodesic::ALL);
  const double length = line.Distance();
  double best = std::min(GeodesicDistance(point, a), GeodesicDistance(point, b));
  double at = length / 2;
  for (int step = 0; step < kStepsMax; ++step) {
    double latitude;
    double longitude;
    double line_azimuth;
    line.Position(at, latitude, longitude, line_azimuth);
    double distance;
    double azimuth;
    double unused;
    Earth().Inverse(latitude, longitude, point.latitude, point.longitude, distance, azimuth, unused);
    best = std::min(best, distance);
    const double angle = (azimuth - line_azimuth) * kRadian;
    const double ahead =
        kRadius_m * std::atan2(std::sin(distance / kRadius_m) * std::cos(angle), std::cos(distance / kRadius_m));
    const double next = std::clamp(at + ahead, 0.0, length);
    if (std::abs(next - at) < kCloseEnough_m) break;
    at = next;
  }
  return best;
}

double GeodesicArea(GeoRing ring) {
  GeographicLib::PolygonArea area(Earth());
  // The last point repeats the first one.
  for (const GeoPoint& point : ring.first(ring.size() - 1)) area.AddPoint(point.latitude, point.longitude);
  double perimeter;
  double result;
  area.Compute(false, false, perimeter, result);
  return result;
}

double EarthArea() {
  return Earth().EllipsoidArea();
}

}  // namespace lapse::query
