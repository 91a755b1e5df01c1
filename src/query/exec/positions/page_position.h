// A continuation: where the next page of a query begins. The bytes are opaque, and any server can read them.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "query/values/arena.h"
#include "query/values/value.h"

namespace lapse::query::exec {

// Orders rows with equal keys: by item, then by the number of the row within its item.
struct TieBreak {
  engine::ItemNumber item = 0;
  uint32_t row = 0;

  std::strong_ordering Compare(const TieBreak& other) const {
    return item != other.item ? item <=> other.item : row <=> other.row;
  }
};

using KeysHash = std::array<uint64_t, 2>;

// How the keys of a position are cut (key_cut.h): strings become prefixes, arrays and objects become empty, and the
// last keys may be missing.
struct CutKeys {
  KeysHash hash{};           // of the full keys
  std::vector<char> is_cut;  // for each key present: 1 if it is cut
};

// Integers are big-endian.
//
//   version (1: 01), kind (1: 01 streamed, 02 ordered, 03 unfinished), rows still to skip (8), rows still to return (8;
//   all ones: no limit), item (8), row (4), then by kind:
//
//   streamed    the rest: where the feed of items resumes. If the next item there is still `item`, the first `row` of
//               its rows were returned already.
//   ordered     the rest: a BSON array of the keys of the last row that was returned, each in an object `{"k": key}`,
//               which is empty for undefined. `item` and `row` are that row's.
//   unfinished  restarts of the scan (1), whether the page begins after a row (1), then two texts: where the scan
//               resumes, and its state. If the page begins after a row, the rest is as for ordered.
//
//   If the keys are cut, 80 is added to the kind, and their hash (16) and a text with a byte for each key (0: whole,
//   1: cut) precede them.
struct PagePosition {
  enum class Kind : uint8_t { kStreamed = 1, kOrdered = 2, kUnfinished = 3 };

  Kind kind = Kind::kStreamed;
  uint64_t offset = 0;
  std::optional<uint64_t> limit;
  TieBreak tie_break;
  std::string feed;            // kStreamed
  std::vector<Value> keys;     // kOrdered, and kUnfinished after a row
  std::optional<CutKeys> cut;  // nullopt: they are complete

  // kUnfinished: the page had no time to finish its scan (scan_state.h). The next request resumes the same page.
  struct UnfinishedScan {
    uint8_t restarts = 0;
    bool behind_row = false;
    std::string after;  // empty: the scan restarts
    std::string seen;   // see DecodeScanState
  };
  UnfinishedScan scan;

  std::string Encode() const;
  // Keys point into `bytes`, which must outlive them. Fails: kInvalidArgument.
  static Result<PagePosition> Decode(std::string_view bytes);
};

// The error for bytes that no page returned, or that a page of another query returned.
Status MalformedContinuation();
Status OfAnotherQuery();

}  // namespace lapse::query::exec
