// Byte classes that HTTP's grammar is made of. Locale-free and inline: the request parser asks for every byte.
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

// RFC 9110 `tchar`: what methods and field names consist of.
constexpr bool IsTokenChar(char c) {
  return ascii_internal::kTokenTable[static_cast<uint8_t>(c)];
}

constexpr bool IsToken(std::string_view text) {
  for (char c : text) {
    if (!IsTokenChar(c)) return false;
  }
  return !text.empty();
}

// True when a byte other than a tab is a control character. Looks at eight bytes at once: field values are most of what
// a request consists of.
inline bool HasControl(std::string_view text) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kHighs = 0x8080808080808080;
  size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + i, sizeof(word));
    const uint64_t deleted = word ^ (kOnes * 0x7F);
    const uint64_t suspects = ((word - kOnes * 0x20) & ~word) | ((deleted - kOnes) & ~deleted);
    if ((suspects & kHighs) != 0) break;  // perhaps only a tab: the loop below tells
  }
  for (; i < text.size(); ++i) {
    if (IsControl(text[i]) && text[i] != '\t') return true;
  }
  return false;
}

}  // namespace lapse::net
