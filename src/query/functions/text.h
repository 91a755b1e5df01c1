// Text is UTF-8. Positions and lengths that functions take and give are counted in UTF-16 units, as clients count them;
// a position within a surrogate pair stands for one of the two ends of the character, so that no half of one is ever
// made.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/utf8.h"
#include "query/values/byte_builder.h"

namespace lapse::query {

bool IsAscii(std::string_view text);

int64_t Utf16Length(std::string_view text);

// The byte where the unit with this number begins; beyond the end the size of the text. Within a pair: where its
// character begins.
size_t ByteAtUnit(std::string_view text, int64_t unit);
// Within a pair: where the next character begins.
size_t ByteAtUnitUp(std::string_view text, int64_t unit);

// The units [begin, end) of the text; a half pair at either end is left out.
std::string_view Utf16Part(std::string_view text, int64_t begin, int64_t end);

// How many bytes the character at the front has: 1 to 4, and never more than there are.
size_t FirstCharacterSize(std::string_view text);
char32_t DecodeFirst(std::string_view text);

// Unicode's simple case mappings, one character for one, independent of any locale.
char32_t UpperOf(char32_t c);
char32_t LowerOf(char32_t c);
void AppendUpper(std::string_view text, ByteBuilder* out);
void AppendLower(std::string_view text, ByteBuilder* out);

// Case ignored, as the upper cases say.
bool EqualsIgnoringCase(std::string_view a, std::string_view b);
bool StartsIgnoringCase(std::string_view text, std::string_view part);
bool EndsIgnoringCase(std::string_view text, std::string_view part);
bool ContainsIgnoringCase(std::string_view text, std::string_view part, Arena* arena);

// Where the part is, counted in bytes, or npos. In linear time, whatever the two are.
size_t FindPart(std::string_view text, std::string_view part, size_t from);
size_t FindLastPart(std::string_view text, std::string_view part, Arena* arena);

bool IsWhiteSpace(char32_t c);

}  // namespace lapse::query
