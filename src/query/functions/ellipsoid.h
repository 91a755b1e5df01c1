// Lengths and areas on the WGS-84 ellipsoid, by Karney's algorithms: exact to nanometres.
#pragma once

#include "query/functions/geometry.h"

namespace lapse::query {

// In metres.
double GeodesicDistance(const GeoPoint& a, const GeoPoint& b);
// To the nearest point of the shortest way from `a` to `b`.
double GeodesicDistanceToLine(const GeoPoint& point, const GeoPoint& a, const GeoPoint& b);
// Of what is to the left of the ring, in square metres: all the rest of the earth when the ring runs clockwise.
double GeodesicArea(GeoRing ring);
double EarthArea();

}  // namespace lapse::query
