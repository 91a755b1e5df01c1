// Consumes the parts of an untrusted HybridRow stream from the front. It compares lengths with what is left. A missing
// part fails the reader permanently.
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

  // Takes the version byte and this schema.
  void Begin(int32_t schema);
  // Skips the header of a stream.
  void SkipSegment();
  // Takes the row of the next record and verifies its checksum.
  std::string_view TakeRecord();

  uint8_t TakeByte() { return bytes_.Byte(); }
  int32_t TakeInt32() { return bytes_.LittleEndian<int32_t>(); }
  uint64_t TakeVaruint();
  std::string_view TakeVariable();

  // A sparse column. A token of at least `tokens` stands for a name that follows, which is skipped.
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
