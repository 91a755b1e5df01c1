// Reads the inside of a JSON string literal. Private to this folder.
#pragma once

#include <string_view>

namespace lapse::doc {

// The text of the literal whose first byte after the opening quote is `at`. Escapes are undone in place (a text is
// never longer than its escaped form), so the result looks into the same buffer and stays valid as long as it does.
// Null when all is well, else what is wrong: an unknown escape, an unpaired surrogate, a control character, no closing
// quote before `end`.
const char* ReadString(char* at, char* end, std::string_view* text);

}  // namespace lapse::doc
