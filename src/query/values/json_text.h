// Values as text.
#pragma once

#include <string>

#include "query/values/byte_builder.h"
#include "query/values/value.h"

namespace lapse::query {

// Appends the value as an answer shows it: NaN and infinities as strings, a whole double with its ".0" as in the item
// itself. Undefined, which no answer shows, appends nothing.
void AppendJson(Value value, std::string* json);

// The longest text of a number.
inline constexpr size_t kNumberTextMax = 32;
// A number in its shortest form that reads back as the same, as JavaScript writes it: 2, 0.1, 1e+21, NaN, Infinity.
std::string_view NumberText(Value number, char (*buffer)[kNumberTextMax]);

// Compact JSON with numbers in that form. False when the value is deeper than kValueDepthMax, or the arena has no more
// room.
bool AppendCompactJson(Value value, Arena* arena, ByteBuilder* out);

}  // namespace lapse::query
