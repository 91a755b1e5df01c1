// How values become parts of keys, so that keys sort as the values do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace lapse::engine {

// Signed to unsigned and back, so that the order is kept.
constexpr uint64_t Sortable(int64_t value) {
  return static_cast<uint64_t>(value) ^ (uint64_t{1} << 63);
}
constexpr int64_t FromSortable(uint64_t value) {
  return static_cast<int64_t>(value ^ (uint64_t{1} << 63));
}

// Bytes of any length inside a key: a byte 00 becomes 00 FF, and 00 00 is the end. So they sort like the bytes
// themselves, and none is the prefix of another.
void PutEscaped(std::string* out, std::string_view bytes);  // without the end
void PutEscapedText(std::string* out, std::string_view bytes);
// How many bytes PutEscapedText put at the front, the end included; nullopt when there is no end.
std::optional<size_t> EscapedTextBytes(std::string_view key);
// What was put there, given those bytes.
void UnescapeText(std::string_view escaped, std::string* bytes);

}  // namespace lapse::engine
