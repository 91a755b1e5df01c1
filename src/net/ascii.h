// Byte classes that HTTP's grammar is made of. Locale-free and inline: the request parser asks for every byte.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace lapse::net {

constexpr char LowerAscii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

constexpr bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

// The value of a hexadecimal digit, -1 for any other byte.
constexpr int HexDigit(char c) {
  if (IsDigit(c)) return c - '0';
  const char lower = LowerAscii(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// `lower` is in lower case already.
constexpr bool EqualsIgnoreCase(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (LowerAscii(text[i]) != lower[i]) return false;
  }
  return true;
}

namespace ascii_internal {
constexpr std::array<bool, 256> MakeTokenTable() {
  std::array<bool, 256> table{};
  for (char c = '0'; c <= '9'; ++c) table[static_cast<uint8_t>(c)] = true;
  for (char c = 'a'; c <= 'z'; ++c) table[static_cast<uint8_t>(c)] = true;
  for (char c = 'A'; c <= 'Z'; ++c) table[static_cast<uint8_t>(c)] = true;
  for (char c : std::string_view("!#$%&'*+-.^_`|~")) table[static_cast<uint8_t>(c)] = true;
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

constexpr bool IsControl(char c) {
  const auto byte = static_cast<uint8_t>(c);
  return byte < 0x20 || byte == 0x7F;
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

constexpr std::string_view TrimBlanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace lapse::net
