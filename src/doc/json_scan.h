// Finds the next byte that must be escaped inside a JSON string, many bytes at a time. Private to this folder: shared
// by JSON parsing and printing.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lapse::doc {

// Whether the byte is a quote, a backslash or a control character.
inline bool IsSpecial(unsigned char c) {
  return c < 0x20 || c == '"' || c == '\\';
}

namespace json_scan_internal {

static_assert(std::endian::native == std::endian::little, "the lowest set bit belongs to the first byte");

// Returns the offset of the first special byte among the eight at `at`, or 8.
inline size_t SpecialIn8(const char* at) {
  constexpr uint64_t kOnes = 0x0101010101010101U;
  constexpr uint64_t kHighs = kOnes << 7;
  uint64_t word;
  std::memcpy(&word, at, sizeof(word));
  // Each line marks bytes below a bound by the borrow out of their top bit. A borrow can wrongly mark bytes after a
  // match but never before it, and only the first mark counts.
  uint64_t control = (word - kOnes * 0x20) & ~word;
  uint64_t quote = ((word ^ (kOnes * '"')) - kOnes) & ~(word ^ (kOnes * '"'));
  uint64_t backslash = ((word ^ (kOnes * '\\')) - kOnes) & ~(word ^ (kOnes * '\\'));
  uint64_t marks = (control | quote | backslash) & kHighs;
  return marks == 0 ? 8 : static_cast<size_t>(std::countr_zero(marks)) / 8;
}

// Same for sixteen bytes, in one vector register if the machine has them.
inline size_t SpecialIn16(const char* at) {
  using Block = uint8_t __attribute__((vector_size(16)));
  Block block;
  std::memcpy(&block, at, sizeof(block));
  auto marks = (block < 0x20) | (block == '"') | (block == '\\');
  uint64_t halves[2];
  std::memcpy(halves, &marks, sizeof(halves));
  if ((halves[0] | halves[1]) == 0) return 16;
  if (halves[0] != 0) return static_cast<size_t>(std::countr_zero(halves[0])) / 8;
  return 8 + static_cast<size_t>(std::countr_zero(halves[1])) / 8;
}

}  // namespace json_scan_internal

// Returns the first special byte in [at, end), or `end`. Reads nothing outside of the range.
inline const char* FindSpecial(const char* at, const char* end) {
  const char* begin = at;
  for (; end - at >= 16; at += 16) {
    size_t offset = json_scan_internal::SpecialIn16(at);
    if (offset < 16) return at + offset;
  }
  // If there are enough bytes, checks the rest in one step that overlaps bytes already checked.
  if (at == end) return end;
  if (end - begin >= 16) return end - 16 + json_scan_internal::SpecialIn16(end - 16);
  if (end - begin >= 8) {
    size_t offset = json_scan_internal::SpecialIn8(at);
    return offset < 8 ? at + offset : end - 8 + json_scan_internal::SpecialIn8(end - 8);
  }
  while (at < end && !IsSpecial(static_cast<unsigned char>(*at))) ++at;
  return at;
}

}  // namespace lapse::doc
