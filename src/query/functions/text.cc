#include "query/functions/text.h"

#include <locale.h>
#include <wctype.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/ascii.h"

namespace lapse::query {
namespace {

constexpr unsigned char Byte(char c) {
  return static_cast<unsigned char>(c);
}

// A four-byte character is a surrogate pair in UTF-16.
constexpr bool BeginsPair(char c) {
  return Byte(c) >= 0xF0;
}

// Every C library has Unicode's case tables behind this locale. It lives as long as the program.
locale_t UnicodeLocale() {
  static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return locale;
}

template <typename MapAscii, typename MapAny>
void AppendMapped(std::string_view text, ByteBuilder* out, MapAscii map_ascii, MapAny map_any) {
  // Most texts are ASCII and need one loop over bytes.
  if (IsAscii(text)) {
    char* place = out->Grow(text.size());
    if (place != nullptr) std::transform(text.begin(), text.end(), place, map_ascii);
    return;
  }
  while (!text.empty()) {
    const size_t size = FirstCharacterSize(text);
    if (size == 1) {
      out->Append(map_ascii(text[0]));
    } else {
      char encoded[kUtf8BytesMax];
      out->Append(std::string_view(encoded, PutUtf8(map_any(DecodeFirst(text)), encoded)));
    }
    text.remove_prefix(size);
  }
}

char32_t TakeUpper(std::string_view* text) {
  const size_t size = FirstCharacterSize(*text);
  const char32_t c = size == 1 ? Byte(UpperAscii(text->front())) : UpperOf(DecodeFirst(*text));
  text->remove_prefix(size);
  return c;
}

// Takes the last character, as TakeUpper takes the first.
char32_t TakeLastUpper(std::string_view* text) {
  size_t begin = text->size() - 1;
  while (begin > 0 && IsContinuation((*text)[begin])) --begin;
  std::string_view last = text->substr(begin);
  *text = text->substr(0, begin);
  return TakeUpper(&last);
}

}  // namespace

bool IsAscii(std::string_view text) {
  const char* at = text.data();
  size_t left = text.size();
  constexpr uint64_t kHighBits = 0x8080808080808080;
  for (; left >= sizeof(uint64_t); at += sizeof(uint64_t), left -= sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, at, sizeof(word));
    if ((word & kHighBits) != 0) return false;
  }
  return std::all_of(at, at + left, [](char c) { return Byte(c) < 0x80; });
}

int64_t Utf16Length(std::string_view text) {
  int64_t units = 0;
  for (char c : text) units += (IsContinuation(c) ? 0 : 1) + (BeginsPair(c) ? 1 : 0);
  return units;
}

size_t ByteAtUnit(std::string_view text, int64_t unit) {
  if (unit <= 0) return 0;
  size_t at = 0;
  while (at < text.size()) {
    const int64_t units = BeginsPair(text[at]) ? 2 : 1;
    if (unit < units) return at;
    unit -= units;
    at += FirstCharacterSize(text.substr(at));
  }
  return text.size();
}

size_t ByteAtUnitUp(std::string_view text, int64_t unit) {
  size_t at = 0;
  while (at < text.size() && unit > 0) {
    unit -= BeginsPair(text[at]) ? 2 : 1;
    at += FirstCharacterSize(text.substr(at));
  }
  return at;
}

std::string_view Utf16Part(std::string_view text, int64_t begin, int64_t end) {
  if (IsAscii(text)) {
    const auto size = static_cast<int64_t>(text.size());
    begin = std::clamp<int64_t>(begin, 0, size);
    end = std::clamp<int64_t>(end, begin, size);
    return text.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
  }
  const size_t first = ByteAtUnitUp(text, begin);
  const size_t last = ByteAtUnit(text, end);
  return last > first ? text.substr(first, last - first) : std::string_view();
}

size_t FirstCharacterSize(std::string_view text) {
  const unsigned char lead = Byte(text[0]);
  const size_t size = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return std::min(size, text.size());
}

char32_t DecodeFirst(std::string_view text) {
  const size_t size = FirstCharacterSize(text);
  constexpr std::array<unsigned char, 5> kLeadBits = {0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t c = Byte(text[0]) & kLeadBits[size];
  for (size_t i = 1; i < size; ++i) c = (c << 6) | (Byte(text[i]) & 0x3F);
  return c;
}

char32_t UpperOf(char32_t c) {
  return static_cast<char32_t>(towupper_l(static_cast<wint_t>(c), UnicodeLocale()));
}

char32_t LowerOf(char32_t c) {
  return static_cast<char32_t>(towlower_l(static_cast<wint_t>(c), UnicodeLocale()));
}

void AppendUpper(std::string_view text, ByteBuilder* out) {
  AppendMapped(
      text, out, [](char c) { return UpperAscii(c); }, UpperOf);
}

void AppendLower(std::string_view text, ByteBuilder* out) {
  AppendMapped(
      text, out, [](char c) { return LowerAscii(c); }, LowerOf);
}

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (TakeUpper(&a) != TakeUpper(&b)) return false;
  }
  return a.empty() && b.empty();
}

bool StartsIgnoringCase(std::string_view text, std::string_view part) {
  while (!text.empty() && !part.empty()) {
    if (TakeUpper(&text) != TakeUpper(&part)) return false;
  }
  return part.empty();
}

bool EndsIgnoringCase(std::string_view text, std::string_view part) {
  while (!text.empty() && !part.empty()) {
    if (TakeLastUpper(&text) != TakeLastUpper(&part)) return false;
  }
  return part.empty();
}

// Converts both to upper case first, so that the search compares bytes.
bool ContainsIgnoringCase(std::string_view text, std::string_view part, Arena* arena) {
  const Arena::Mark mark = arena->mark();
  ByteBuilder upper_text(arena);
  AppendUpper(text, &upper_text);
  ByteBuilder upper_part(arena);
  AppendUpper(part, &upper_part);
  const bool found = FindPart(upper_text.view(), upper_part.view(), 0) != std::string_view::npos;
  arena->Rewind(mark);
  return found;
}

size_t FindPart(std::string_view text, std::string_view part, size_t from) {
  if (from > text.size()) return std::string_view::npos;
  if (part.empty()) return from;
  const std::string_view rest = text.substr(from);
  if (rest.size() < part.size()) return std::string_view::npos;
  const void* found = memmem(rest.data(), rest.size(), part.data(), part.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

// Searches from end to beginning with the Knuth-Morris-Pratt algorithm. A short part does not need its table.
size_t FindLastPart(std::string_view text, std::string_view part, Arena* arena) {
  constexpr size_t kShort = 32;
  if (part.size() <= kShort) return text.rfind(part);
  const auto length = part.size();
  const Arena::Mark mark = arena->mark();
  auto* fallback = reinterpret_cast<uint32_t*>(arena->Allocate(length * sizeof(uint32_t)));
  if (fallback == nullptr) return std::string_view::npos;
  const auto from_end = [length, part](size_t i) { return part[length - 1 - i]; };
  fallback[0] = 0;
  for (size_t i = 1, matched = 0; i < length; ++i) {
    while (matched > 0 && from_end(i) != from_end(matched)) matched = fallback[matched - 1];
    if (from_end(i) == from_end(matched)) ++matched;
    fallback[i] = static_cast<uint32_t>(matched);
  }
  size_t found = std::string_view::npos;
  for (size_t at = text.size(), matched = 0; at > 0; --at) {
    while (matched > 0 && text[at - 1] != from_end(matched)) matched = fallback[matched - 1];
    if (text[at - 1] == from_end(matched)) ++matched;
    if (matched == length) {
      found = at - 1;
      break;
    }
  }
  arena->Rewind(mark);
  return found;
}

bool IsWhiteSpace(char32_t c) {
  if (c <= ' ') return c == ' ' || (c >= '\t' && c <= '\r');
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}

}  // namespace lapse::query
