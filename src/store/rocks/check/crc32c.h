// The checksum of RocksDB's logs.
#pragma once

#include <cstdint>
#include <string_view>

namespace lapse::store {

// CRC-32C (Castagnoli) of `bytes`, going on from the checksum of what came before them.
uint32_t ExtendCrc32c(uint32_t crc, std::string_view bytes);

inline uint32_t Crc32c(std::string_view bytes) {
  return ExtendCrc32c(0, bytes);
}

}  // namespace lapse::store
