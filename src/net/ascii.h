// The byte classes of HTTP's grammar. Locale-free and inline, because the request parser tests every byte.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/ascii.h"

namespace lapse::net {

namespace ascii_internal {
constexpr std::array<bool, 256> MakeTokenTable() {
  std::array<bool, 256> table{};
  for (int byte = 0; byte < 128; ++byte) {
    const char c = static_cast<char>(byte);
    table[static_cast<size_t>(byte)] =
        IsDigit(c) || IsLetter(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  }
  return table;
}
inline constexpr std::array<bool, 256> kTokenTable = MakeTokenTable();
}  // namespace ascii_internal

// RFC 9110 `tchar`: the characters of methods and field names.
constexpr bool IsTokenChar(char c) {
  return ascii_internal::kTokenTable[static_cast<uint8_t>(c)];
}

constexpr bool IsToken(std::string_view text) {
  for (char c : text) {
    if (!IsTokenChar(c)) return false;
  }
  return !text.empty();
}

// Whether the text has a control character other than a tab. Checks eight bytes at once, since most bytes of a request
// are field values.
inline bool HasControl(std::string_view text) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kHighs = 0x8080808080808080;
  size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + i, sizeof(word));
    const uint64_t deleted = word ^ (kOnes * 0x7F);
    const uint64_t suspects = ((word - kOnes * 0x20) & ~word) | ((deleted - kOnes) & ~deleted);
    if ((suspects & kHighs) != 0) break;  // possibly only a tab, which the loop below checks
  }
  for (; i < text.size(); ++i) {
    if (IsControl(text[i]) && text[i] != '\t') return true;
  }
  return false;
}

}  // namespace lapse::net
