// Parses the inside of a JSON string literal. Private to this folder.
#pragma once

#include <string_view>

namespace lapse::doc {

// Reads the literal whose first byte after the opening quote is at `at`. Decodes escapes in place, which never needs
// more space, so `text` points into the same buffer. Returns null on success, else the problem: an unknown escape, an
// unpaired surrogate, a control character, or no closing quote before `end`.
const char* ReadString(char* at, char* end, std::string_view* text);

}  // namespace lapse::doc
