// Formats dates as the query asks.
#pragma once

#include <cstdint>
#include <string_view>

#include "query/values/byte_builder.h"

namespace lapse::query {

// Supports the letters of .NET's custom formats: y M d H h m s f F t, repeated for width or words, with English names.
// A character after \ and text in quotes are literal, and so is every other character.
void AppendFormatted(int64_t ticks, std::string_view format, ByteBuilder* out);

}  // namespace lapse::query
