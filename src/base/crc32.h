// Checksums of 32 bits: the CRC of zlib and Ethernet, and CRC-32C (Castagnoli), which RocksDB's logs have.
#pragma once

#include <cstdint>
#include <string_view>

namespace lapse {

// Each continues the checksum of the bytes before; that of no bytes is 0.
uint32_t ExtendCrc32(uint32_t crc, std::string_view bytes);
uint32_t ExtendCrc32c(uint32_t crc, std::string_view bytes);

inline uint32_t Crc32(std::string_view bytes) {
  return ExtendCrc32(0, bytes);
}

inline uint32_t Crc32c(std::string_view bytes) {
  return ExtendCrc32c(0, bytes);
}

}  // namespace lapse
