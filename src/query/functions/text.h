// Text is UTF-8. Functions count positions and lengths in UTF-16 units, as clients do. A position within a surrogate
// pair stands for one end of the character, so that no character is ever split.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/utf8.h"
#include "query/values/byte_builder.h"

namespace lapse::query {

bool IsAscii(std::string_view text);

int64_t Utf16Length(std::string_view text);

// Returns the byte where the unit with this number begins, or the size of the text beyond its end. Within a pair: where
// its character begins.
size_t ByteAtUnit(std::string_view text, int64_t unit);
// The same, but within a pair: where the next character begins.
size_t ByteAtUnitUp(std::string_view text, int64_t unit);

// Returns the units [begin, end) of the text. Half a pair at either end is left out.
std::string_view Utf16Part(std::string_view text, int64_t begin, int64_t end);

// Returns the size in bytes of the first character: 1 to 4, and never more than the text has.
size_t FirstCharacterSize(std::string_view text);
char32_t DecodeFirst(std::string_view text);

// Unicode's simple case mappings: one character for one, independent of any locale.
char32_t UpperOf(char32_t c);
char32_t LowerOf(char32_t c);
void AppendUpper(std::string_view text, ByteBuilder* out);
void AppendLower(std::string_view text, ByteBuilder* out);

// Ignores case by comparing upper cases.
bool EqualsIgnoringCase(std::string_view a, std::string_view b);
bool StartsIgnoringCase(std::string_view text, std::string_view part);
bool EndsIgnoringCase(std::string_view text, std::string_view part);
bool ContainsIgnoringCase(std::string_view text, std::string_view part, Arena* arena);

// Returns the byte position of the part, or npos. Takes linear time, whatever the two are.
size_t FindPart(std::string_view text, std::string_view part, size_t from);
size_t FindLastPart(std::string_view text, std::string_view part, Arena* arena);

bool IsWhiteSpace(char32_t c);

}  // namespace lapse::query
