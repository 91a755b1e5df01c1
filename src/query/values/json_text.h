// Values as text.
#pragma once

#include <string>

#include "query/values/byte_builder.h"
#include "query/values/value.h"

namespace lapse::query {

// Appends the value as responses show it: NaN and infinities as strings, a whole double with its ".0" as in the item
// itself. Appends nothing for undefined, which no response shows.
void AppendJson(Value value, std::string* json);

// The longest text of a number.
inline constexpr size_t kNumberTextMax = 32;
// Returns the shortest form of a number that reads back as the same, as JavaScript writes it: 2, 0.1, 1e+21, NaN,
// Infinity.
std::string_view NumberText(Value number, char (*buffer)[kNumberTextMax]);

// Appends compact JSON with numbers in that form. Returns false if the value is deeper than kValueDepthMax, or if the
// arena has no more room.
bool AppendCompactJson(Value value, Arena* arena, ByteBuilder* out);

}  // namespace lapse::query
