// Checks of a value's type. The result is always a bool: undefined has no type.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

extern const Function kIsArray;
extern const Function kIsBool;
extern const Function kIsDateTime;  // a string that dates.h reads
extern const Function kIsDefined;
extern const Function kIsFiniteNumber;
extern const Function kIsInteger;  // a whole number that fits int64
extern const Function kIsNull;
extern const Function kIsNumber;
extern const Function kIsObject;
extern const Function kIsPrimitive;  // string, number, bool or null
extern const Function kIsString;

}  // namespace lapse::query::functions
