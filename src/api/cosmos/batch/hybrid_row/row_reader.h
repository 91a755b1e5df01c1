// Takes the parts of a HybridRow stream off the front of bytes from outside. Nothing is believed: lengths are compared
// with what is left, and a part that is not there fails the reader for good.
#pragma once

#include <cstdint>
#include <string_view>

#include "api/cosmos/batch/hybrid_row/row_layout.h"
#include "base/bytes.h"

namespace lapse::api::cosmos::hybrid_row {

class RowReader {
 public:
  explicit RowReader(std::string_view bytes) : bytes_(bytes) {}

  bool ok() const { return ok_ && bytes_.ok(); }
  bool AtEnd() const { return ok() && bytes_.AtEnd(); }

  // The version byte and this schema.
  void Begin(int32_t schema);
  // The header of a stream.
  void SkipSegment();
  // The row of the next record, whose checksum is right.
  std::string_view TakeRecord();

  uint8_t TakeByte() { return bytes_.Byte(); }
  int32_t TakeInt32() { return bytes_.LittleEndian<int32_t>(); }
  uint64_t TakeVaruint();
  std::string_view TakeVariable();

  // A sparse column. A token that is not below `tokens` stands for a name that follows: it is passed over.
  struct Sparse {
    Type type = Type::kFalse;
    uint64_t token = 0;
    std::string_view text;  // for kUtf8 and kBinary
  };
  Sparse TakeSparse(uint64_t tokens);

 private:
  void Require(bool holds) { ok_ = ok_ && holds; }

  ByteReader bytes_;
  bool ok_ = true;
};

}  // namespace lapse::api::cosmos::hybrid_row
