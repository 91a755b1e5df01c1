// The checksum of HybridRow records: CRC-32 as zlib and Ethernet have it.
#pragma once

#include <cstdint>
#include <string_view>

namespace lapse::api::cosmos {

uint32_t Crc32(std::string_view bytes);

}  // namespace lapse::api::cosmos
