// The bytes of HybridRow that batches use. Numbers are little-endian.
//
//   stream   = segment record*
//   segment  = 81 int32:kSegmentSchema presence int32:length of this header
//   record   = 81 int32:kRecordSchema int32:length uint32:crc row       length and CRC-32 of the row
//   row      = 81 int32:schema presence fixed* variable* sparse*        up to its length
//   presence = one byte, bit n for column n; an absent column takes no bytes
//   variable = varuint:length bytes
//   sparse   = type varuint:token value
//   varuint  = 7 bits a byte, low ones first; bit 7: more follow
#pragma once

#include <cstddef>
#include <cstdint>

namespace lapse::api::cosmos::hybrid_row {

constexpr uint8_t kVersion = 0x81;
constexpr int32_t kSegmentSchema = 2147473648;
constexpr int32_t kRecordSchema = 2147473649;
constexpr int32_t kOperationSchema = 2145473648;
constexpr int32_t kResultSchema = 2145473649;

constexpr int32_t kSegmentHeader_bytes = 10;

// Types of sparse columns.
enum class Type : uint8_t {
  kFalse = 2,
  kTrue = 3,
  kInt32 = 7,
  kUint32 = 11,
  kFloat64 = 16,
  kUtf8 = 20,
  kBinary = 21,
};

}  // namespace lapse::api::cosmos::hybrid_row
