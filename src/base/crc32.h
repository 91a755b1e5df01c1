// 32-bit checksums: the CRC of zlib and Ethernet, and CRC-32C (Castagnoli), which RocksDB uses in its logs.
#pragma once

#include <cstdint>
#include <string_view>

namespace lapse {

// Extends `crc`, the checksum of the preceding bytes, which is 0 if there are none.
uint32_t ExtendCrc32(uint32_t crc, std::string_view bytes);
uint32_t ExtendCrc32c(uint32_t crc, std::string_view bytes);

inline uint32_t Crc32(std::string_view bytes) {
  return ExtendCrc32(0, bytes);
}

inline uint32_t Crc32c(std::string_view bytes) {
  return ExtendCrc32c(0, bytes);
}

}  // namespace lapse
