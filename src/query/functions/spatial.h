// Functions of GeoJSON geometries. A geometry whose form is wrong gives undefined.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

extern const Function kStArea;        // (geometry), in square metres
extern const Function kStDistance;    // (a, b), in metres
extern const Function kStIntersects;  // (a, b)
extern const Function kStWithin;      // (a, b): a in b
// (geometry): whether the form is right, and the rings of polygons are simple. Undefined for what is no object.
extern const Function kStIsValid;
extern const Function kStIsValidDetailed;  // {"valid": ...}, and "reason" when it is not

}  // namespace lapse::query::functions
