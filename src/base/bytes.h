// Fixed-width integers in byte strings: big-endian in keys, whose bytes must sort like the numbers, and little-endian
// in values.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/hex.h"  // for callers that print bytes as hex

namespace lapse {

static_assert(std::endian::native == std::endian::little, "values on disk are little-endian");

namespace bytes_internal {
inline uint32_t Swap(uint32_t v) {
  return __builtin_bswap32(v);
}
inline uint64_t Swap(uint64_t v) {
  return __builtin_bswap64(v);
}
}  // namespace bytes_internal

template <typename T>
void PutBigEndian(std::string* out, T value) {
  value = bytes_internal::Swap(value);
  out->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

template <typename T>
void PutLittleEndian(std::string* out, T value) {
  out->append(reinterpret_cast<const char*>(&value), sizeof(value));
}
// Appends the length in four bytes, then the bytes.
inline void PutText(std::string* out, std::string_view text) {
  PutLittleEndian(out, static_cast<uint32_t>(text.size()));
  out->append(text);
}

// Takes values off the front of a byte string. A read past the end fails and leaves the reader failed, so callers read
// everything they expect and check ok() once.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool AtEnd() const { return ok_ && rest_.empty(); }
  std::string_view rest() const { return rest_; }

  template <typename T>
  T BigEndian() {
    T value = LittleEndian<T>();
    return bytes_internal::Swap(value);
  }

  template <typename T>
  T LittleEndian() {
    T value{};
    std::string_view taken = Take(sizeof(T));
    if (ok_) std::memcpy(&value, taken.data(), sizeof(T));
    return value;
  }

  uint8_t Byte() { return LittleEndian<uint8_t>(); }

  // Reads what PutText wrote.
  std::string_view Text() { return Take(LittleEndian<uint32_t>()); }

  std::string_view Take(size_t count) {
    if (!ok_ || rest_.size() < count) {
      ok_ = false;
      return {};
    }
    std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

// Returns the least string greater than every string with this prefix, or an empty one if there is none.
inline std::string PrefixEnd(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty() && end.back() == '\xFF') end.pop_back();
  if (!end.empty()) ++end.back();
  return end;
}

}  // namespace lapse
