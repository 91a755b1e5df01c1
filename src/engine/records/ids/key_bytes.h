// Encodes values as parts of keys, so that keys sort as the values do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace lapse::engine {

// Convert signed to unsigned and back, keeping the order.
constexpr uint64_t Sortable(int64_t value) {
  return static_cast<uint64_t>(value) ^ (uint64_t{1} << 63);
}
constexpr int64_t FromSortable(uint64_t value) {
  return static_cast<int64_t>(value ^ (uint64_t{1} << 63));
}

// Bytes of any length inside a key: a byte 00 becomes 00 FF, and 00 00 ends them. So they sort like the original bytes,
// and none is a prefix of another.
void PutEscaped(std::string* out, std::string_view bytes);  // without the end
void PutEscapedText(std::string* out, std::string_view bytes);
// Returns how many bytes PutEscapedText put at the front, including the end; nullopt if there is no end.
std::optional<size_t> EscapedTextBytes(std::string_view key);
// Decodes the bytes that PutEscapedText put.
void UnescapeText(std::string_view escaped, std::string* bytes);

}  // namespace lapse::engine
