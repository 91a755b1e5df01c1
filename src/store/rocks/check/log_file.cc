#include "store/rocks/check/log_file.h"

#include <bit>

#include "base/bytes.h"
#include "base/crc32.h"

namespace lapse::store {
namespace {

constexpr size_t kHeaderBytes = 7;
constexpr size_t kChecksumBytes = 4;
constexpr size_t kTypeOffset = 6;

// RocksDB stores checksums rotated and shifted by a constant, since a checksum over bytes that contain their own
// checksum would be weak.
uint32_t Mask(uint32_t crc) {
  return std::rotr(crc, 15) + 0xA282EAD8u;
}

}  // namespace

size_t LogFragment::size_bytes() const {
  return kHeaderBytes + payload.size();
}

bool IsLogPadding(std::string_view bytes) {
  return bytes.size() < kHeaderBytes;
}

std::optional<LogFragment> ParseLogFragment(std::string_view bytes) {
  ByteReader reader(bytes);
  const uint32_t checksum = reader.LittleEndian<uint32_t>();
  const uint16_t length = reader.LittleEndian<uint16_t>();
  const uint8_t type = reader.Byte();
  const std::string_view payload = reader.Take(length);
  if (!reader.ok() || type < LogFragment::kFull || type > LogFragment::kLast) return std::nullopt;
  static_assert(kTypeOffset + 1 == kHeaderBytes && kChecksumBytes < kTypeOffset);
  if (Mask(Crc32c(bytes.substr(kTypeOffset, 1 + payload.size()))) != checksum) return std::nullopt;
  return LogFragment{static_cast<LogFragment::Type>(type), payload};
}

std::optional<LogBatch> ParseLogBatch(std::string_view payload) {
  ByteReader reader(payload);
  LogBatch batch;
  batch.sequence = reader.LittleEndian<uint64_t>();
  batch.operations = reader.LittleEndian<uint32_t>();
  return reader.ok() ? std::optional(batch) : std::nullopt;
}

}  // namespace lapse::store
