// Conversions between text and other values.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

// (value): a string unchanged, anything else as compact JSON, with numbers in their shortest form
extern const Function kToString;

// (text): the JSON value in the text, undefined if it is not one of this type. Surrounding white space is ignored. At
// most 2 MB, as for an item.
extern const Function kStringToArray;
extern const Function kStringToBoolean;
extern const Function kStringToNull;
extern const Function kStringToNumber;
extern const Function kStringToObject;

}  // namespace lapse::query::functions
