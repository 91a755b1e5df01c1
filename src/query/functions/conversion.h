// Values from text, and text from values.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

// (value): a string as it is, all others as compact JSON, numbers in their shortest form
extern const Function kToString;

// (text): the JSON value that the text is, undefined when it is none of this type. Blanks around it do not matter. At
// most 2 MB, as for an item.
extern const Function kStringToArray;
extern const Function kStringToBoolean;
extern const Function kStringToNull;
extern const Function kStringToNumber;
extern const Function kStringToObject;

}  // namespace lapse::query::functions
