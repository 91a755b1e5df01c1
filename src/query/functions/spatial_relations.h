// How geometries lie to each other. Boundaries belong to polygons; what is within kTouchAngle touches.
#pragma once

#include "query/functions/prepared_geometry.h"

namespace lapse::query {

bool Intersects(const PreparedGeometry& a, const PreparedGeometry& b);
// Whether all of `a` is in `b`. A part of `a` has to be in one polygon of `b`, not in several that are side by side.
bool IsWithin(const PreparedGeometry& a, const PreparedGeometry& b);
// In metres, 0 when they intersect.
double DistanceBetween(const PreparedGeometry& a, const PreparedGeometry& b);
// In square metres; 0 for points and lines.
double AreaOf(const Geometry& geometry);

}  // namespace lapse::query
