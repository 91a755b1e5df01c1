#include "api/cosmos/batch/hybrid_row/crc32.h"

#include <array>
#include <cstddef>

namespace lapse::api::cosmos {
namespace {

constexpr uint32_t kPolynomial = 0xEDB88320;
constexpr size_t kLanes = 8;  // bytes at once
using Table = std::array<std::array<uint32_t, 256>, kLanes>;

constexpr Table MakeTable() {
  Table table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    table[0][byte] = crc;
  }
  for (size_t lane = 1; lane < kLanes; ++lane) {
    for (size_t byte = 0; byte < 256; ++byte) {
      const uint32_t before = table[lane - 1][byte];
      table[lane][byte] = (before >> 8) ^ table[0][before & 0xFF];
    }
  }
  return table;
}

constexpr Table kTable = MakeTable();

}  // namespace

uint32_t Crc32(std::string_view bytes) {
  uint32_t crc = 0xFFFFFFFF;
  size_t at = 0;
  for (; at + kLanes <= bytes.size(); at += kLanes) {
    uint32_t next = 0;
    for (size_t lane = 0; lane < kLanes; ++lane) {
      uint32_t byte = static_cast<uint8_t>(bytes[at + lane]);
      if (lane < sizeof(crc)) byte ^= (crc >> (8 * lane)) & 0xFF;
      next ^= kTable[kLanes - 1 - lane][byte];
    }
    crc = next;
  }
  for (; at < bytes.size(); ++at) crc = (crc >> 8) ^ kTable[0][(crc ^ static_cast<uint8_t>(bytes[at])) & 0xFF];
  return ~crc;
}

}  // namespace lapse::api::cosmos
