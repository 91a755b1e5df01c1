// Where a query's next page goes on: opaque bytes that need nothing of the server that gave them out.
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

// Where a row stands among rows whose keys are equal: its item, and its place among the rows of that item.
struct RowPlace {
  engine::ItemNumber item = 0;
  uint32_t row = 0;

  std::strong_ordering Compare(const RowPlace& other) const {
    return item != other.item ? item <=> other.item : row <=> other.row;
  }
};

using KeysHash = std::array<uint64_t, 2>;

// Keys that are not there in full (key_cut.h): strings are beginnings, arrays and objects are empty, the last keys may
// be missing.
struct CutKeys {
  KeysHash hash{};           // of the whole keys
  std::vector<char> is_cut;  // for each key that is there: 1 if it is cut
};

// Integers are big-endian.
//
//   version (1: 01), kind (1: 01 streamed, 02 ordered, 03 unfinished), rows still to be left out (8), rows still to be
//   given (8; all ones: no limit), item (8), row (4) streamed: the rest: where the feed of items goes on. Of the item
//   that comes next there, if it is still `item`, so many rows were given. ordered: the rest: a BSON array of the keys
//   of the last row that was given, each in an object `{"k": key}`, which is empty for undefined. `item` and `row` are
//   that row's. unfinished: how often the walk began again (1), whether the page begins behind a row (1), then two
//   texts: where the walk goes on, what it has seen. The rest is as for ordered, if the page begins behind a row.
//
//   Keys that are cut have 80 added to the kind; before them are their hash (16) and a text of a byte for each key (0:
//   whole, 1: cut).
struct PagePosition {
  enum class Kind : uint8_t { kStreamed = 1, kOrdered = 2, kUnfinished = 3 };

  Kind kind = Kind::kStreamed;
  uint64_t offset = 0;
  std::optional<uint64_t> limit;
  RowPlace place;
  std::string feed;            // kStreamed
  std::vector<Value> keys;     // kOrdered, and kUnfinished behind a row
  std::optional<CutKeys> cut;  // nullopt: they are whole

  // kUnfinished: a page that was to walk to the end and had no time for it (unfinished_walk.h). The next one goes on
  // with the same page.
  struct Walk {
    uint8_t begun_again = 0;
    bool behind_row = false;
    std::string after;  // empty: it begins again
    std::string seen;   // see DecodeSeen
  };
  Walk walk;

  std::string Encode() const;
  // Keys look at `bytes`, which must outlive them. Fails: kInvalidArgument.
  static Result<PagePosition> Decode(std::string_view bytes);
};

// The error of bytes that no page gave out, and of those that a page of another query gave out.
Status MalformedContinuation();
Status OfAnotherQuery();

}  // namespace lapse::query::exec
