// Relations between geometries. Polygons include their boundaries. Whatever is within kTouchAngle touches.
#pragma once

#include "query/functions/prepared_geometry.h"

namespace lapse::query {

bool Intersects(const PreparedGeometry& a, const PreparedGeometry& b);
// Whether all of `a` is in `b`. Each part of `a` has to be in one polygon of `b`, not in several adjacent ones.
bool IsWithin(const PreparedGeometry& a, const PreparedGeometry& b);
// Returns metres, or 0 if they intersect.
double DistanceBetween(const PreparedGeometry& a, const PreparedGeometry& b);
// Returns square metres, or 0 for points and lines.
double AreaOf(const Geometry& geometry);

}  // namespace lapse::query
