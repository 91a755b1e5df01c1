// Lengths and areas on the WGS-84 ellipsoid, by Karney's algorithms: exact to nanometres.
#pragma once

#include "query/functions/geometry.h"

namespace lapse::query {

// Returns metres.
double GeodesicDistance(const GeoPoint& a, const GeoPoint& b);
// Returns the distance in metres to the nearest point of the shortest path from `a` to `b`.
double GeodesicDistanceToLine(const GeoPoint& point, const GeoPoint& a, const GeoPoint& b);
// Returns the area in square metres of the region left of the ring. For a clockwise ring that is the rest of the globe.
double GeodesicArea(GeoRing ring);
double EarthArea();

}  // namespace lapse::query
