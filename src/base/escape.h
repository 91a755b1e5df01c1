// Escapes in JSON strings and URLs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lapse {

constexpr size_t kJsonEscapeCharsMax = 6;  // \u001f

// Returns the JSON escape of a quote, backslash or control character, and \u00xx for any other byte.
std::string_view JsonEscape(char c, char (*buffer)[kJsonEscapeCharsMax]);

// Returns the character that a backslash and `letter` stand for in JSON, or 0 if there is none or it is \u.
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

// Consumes the digits after \u from `text`, and a second \u escape if the first is a high surrogate. Returns the code
// point, kEscapeMalformed unless there are four digits, or kEscapeUnpaired for half of a surrogate pair.
constexpr int32_t kEscapeMalformed = -1;
constexpr int32_t kEscapeUnpaired = -2;
int32_t TakeJsonCodePoint(std::string_view* text);

// Keeps letters, digits and -._~, and writes every other byte as %XX.
std::string PercentEncode(std::string_view text);

// Returns the byte that the leading %XX stands for, or -1 if it is malformed.
int PercentEscape(std::string_view text);

// Returns false if an escape is malformed. Leaves a plus unchanged.
bool PercentDecode(std::string_view text, std::string* decoded);

}  // namespace lapse
