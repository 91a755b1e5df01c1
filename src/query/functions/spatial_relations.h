// How geometries lie to each other. Boundaries belong to polygons; what is within kTouchAngle touches.
#pragma once

#include "query/functions/geometry.h"

namespace lapse::query {

// Each works in the arena, which may be exhausted after it: the result means nothing then.
bool Intersects(const Geometry& a, const Geometry& b, Arena* arena);
// Whether all of `a` is in `b`. A part of `a` has to be in one polygon of `b`, not in several that are side by side.
bool IsWithin(const Geometry& a, const Geometry& b, Arena* arena);
// In metres, 0 when they intersect.
double DistanceBetween(const Geometry& a, const Geometry& b, Arena* arena);
// In square metres; 0 for points and lines.
double AreaOf(const Geometry& geometry);

}  // namespace lapse::query
