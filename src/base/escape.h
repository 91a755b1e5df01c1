// Escapes of JSON strings and of addresses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lapse {

constexpr size_t kJsonEscapeCharsMax = 6;  // \u001f

// How JSON writes a quote, a backslash or a control character. Any other byte comes out as \u00xx.
std::string_view JsonEscape(char c, char (*buffer)[kJsonEscapeCharsMax]);

// The character that a backslash and this letter stand for in JSON; 0 if they stand for none, or for \u.
constexpr char JsonUnescape(char letter) {
  switch (letter) {
    case '"':
    case '\\':
    case '/': return letter;
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return 0;
  }
}

// Reads the digits after \u, and those of a second \u where the first begins a pair, and moves `text` behind them.
// Returns the code point, kEscapeMalformed without four digits, or kEscapeUnpaired for half a pair.
constexpr int32_t kEscapeMalformed = -1;
constexpr int32_t kEscapeUnpaired = -2;
int32_t TakeJsonCodePoint(std::string_view* text);

// Letters, digits and -._~ stay; every other byte becomes %XX.
std::string PercentEncode(std::string_view text);

// The byte that %XX at the front stands for, -1 if it is malformed.
int PercentEscape(std::string_view text);

// Returns false if an escape is malformed. A plus stays a plus.
bool PercentDecode(std::string_view text, std::string* decoded);

}  // namespace lapse
