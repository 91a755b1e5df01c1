// Functions of GeoJSON geometries. A geometry whose form is invalid gives undefined.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

extern const Function kStArea;        // (geometry), in square metres
extern const Function kStDistance;    // (a, b), in metres
extern const Function kStIntersects;  // (a, b)
extern const Function kStWithin;      // (a, b): a in b
// (geometry): whether the form is valid and the rings of polygons are simple. Undefined for anything but an object.
extern const Function kStIsValid;
extern const Function kStIsValidDetailed;  // {"valid": ...}, and "reason" if it is not

}  // namespace lapse::query::functions
