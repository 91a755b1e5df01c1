#include "api/cosmos/batch/hybrid_row/row_reader.h"

#include "base/crc32.h"

namespace lapse::api::cosmos::hybrid_row {

void RowReader::Begin(int32_t schema) {
  const uint8_t version = bytes_.Byte();
  Require(version == kVersion && TakeInt32() == schema);
}

void RowReader::SkipSegment() {
  Begin(kSegmentSchema);
  const uint8_t presence = bytes_.Byte();
  const int32_t length = TakeInt32();
  Require(presence == 1 && length == kSegmentHeader_bytes);
}

std::string_view RowReader::TakeRecord() {
  Begin(kRecordSchema);
  const int32_t length = TakeInt32();
  const auto crc = bytes_.LittleEndian<uint32_t>();
  Require(length >= 0);
  if (!ok()) return {};
  const std::string_view row = bytes_.Take(static_cast<size_t>(length));
  Require(bytes_.ok() && Crc32(row) == crc);
  return ok() ? row : std::string_view();
}

uint64_t RowReader::TakeVaruint() {
  constexpr int kBits = 7;
  constexpr int kBitsMax = 35;  // nothing here is longer than 2^32
  uint64_t value = 0;
  for (int shift = 0; shift < kBitsMax; shift += kBits) {
    const uint8_t byte = bytes_.Byte();
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  Require(false);
  return 0;
}

std::string_view RowReader::TakeVariable() {
  const uint64_t length = TakeVaruint();
  if (!ok()) return {};
  return bytes_.Take(length);
}

RowReader::Sparse RowReader::TakeSparse(uint64_t tokens) {
  Sparse column;
  column.type = static_cast<Type>(bytes_.Byte());
  column.token = TakeVaruint();
  if (ok() && column.token >= tokens) bytes_.Take(column.token - tokens);
  switch (column.type) {
    case Type::kFalse:
    case Type::kTrue: break;
    case Type::kInt32:
    case Type::kUint32: bytes_.Take(sizeof(uint32_t)); break;
    case Type::kFloat64: bytes_.Take(sizeof(double)); break;
    case Type::kUtf8:
    case Type::kBinary: column.text = TakeVariable(); break;
    default: Require(false);
  }
  return column;
}

}  // namespace lapse::api::cosmos::hybrid_row
