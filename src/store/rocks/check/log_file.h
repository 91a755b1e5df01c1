// The bytes of RocksDB's write-ahead logs: blocks of 32 KiB filled with fragments of records.
//
// A fragment is checksum (4 bytes), length (2), type (1) and payload, and lies within one block; fewer bytes than a
// header at the end of a block are padding. A record is one full fragment, or a first, any number of middle and a last
// one. It holds a batch, which starts with its sequence number (8 bytes) and its number of operations (4), all
// little-endian.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lapse::store {

inline constexpr size_t kLogBlockBytes = 32 << 10;

struct LogFragment {
  enum Type : uint8_t { kFull = 1, kFirst = 2, kMiddle = 3, kLast = 4 };
  Type type;
  std::string_view payload;

  bool starts_record() const { return type == kFull || type == kFirst; }
  size_t size_bytes() const;
};

// Parses the fragment at the front of `bytes`, the rest of a block. Returns none if it is incomplete or its checksum is
// wrong.
std::optional<LogFragment> ParseLogFragment(std::string_view bytes);

// Whether `bytes`, the rest of a block, is too short for a fragment.
bool IsLogPadding(std::string_view bytes);

struct LogBatch {
  uint64_t sequence = 0;
  uint32_t operations = 0;
};

// Parses the payload of a fragment that starts a record. Returns none if it is too short for the batch's numbers, which
// happens when the record starts near the end of a block.
std::optional<LogBatch> ParseLogBatch(std::string_view payload);

}  // namespace lapse::store
