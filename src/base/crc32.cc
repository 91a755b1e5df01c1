#include "base/crc32.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace lapse {
namespace {

constexpr size_t kStride = 8;

// tables[n][b] is the contribution of byte b to the checksum when n more bytes of the stride follow it.
using Tables = std::array<std::array<uint32_t, 256>, kStride>;

constexpr Tables MakeTables(uint32_t reflected_polynomial) {
  Tables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? reflected_polynomial : 0);
    tables[0][byte] = crc;
  }
  for (size_t n = 1; n < kStride; ++n) {
    for (size_t byte = 0; byte < 256; ++byte) {
      const uint32_t before = tables[n - 1][byte];
      tables[n][byte] = (before >> 8) ^ tables[0][before & 0xFF];
    }
  }
  return tables;
}

constexpr Tables kCrc32Tables = MakeTables(0xEDB88320);
constexpr Tables kCrc32cTables = MakeTables(0x82F63B78);

static_assert(std::endian::native == std::endian::little, "a stride is read as one number");

uint32_t Extend(const Tables& tables, uint32_t crc, std::string_view bytes) {
  crc = ~crc;
  while (bytes.size() >= kStride) {
    uint64_t stride;
    std::memcpy(&stride, bytes.data(), kStride);
    stride ^= crc;
    crc = 0;
    for (size_t n = 0; n < kStride; ++n) crc ^= tables[kStride - 1 - n][(stride >> (8 * n)) & 0xFF];
    bytes.remove_prefix(kStride);
  }
  for (const char byte : bytes) crc = (crc >> 8) ^ tables[0][(crc ^ static_cast<uint8_t>(byte)) & 0xFF];
  return ~crc;
}

}  // namespace

uint32_t ExtendCrc32(uint32_t crc, std::string_view bytes) {
  return Extend(kCrc32Tables, crc, bytes);
}

uint32_t ExtendCrc32c(uint32_t crc, std::string_view bytes) {
  return Extend(kCrc32cTables, crc, bytes);
}

}  // namespace lapse
