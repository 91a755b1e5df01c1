// A walk whose page had to end before it came to its end (docs/design/query.md, "Pages that take long").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "query/exec/paging/ordered_page.h"
#include "query/values/value.h"

namespace lapse::query::exec {

// What such a walk has seen. Integers are little-endian, numbers of items among them.
//
//   groups: 01, the rest: for each group its keys, then a partial of each aggregate (value_list.h)
//   rows:   02, flags (1: bit 0: there is an edge, bit 1: the row of the edge itself may be missing), item (8) and row
//           (4) of the edge, a count (4) and as many item numbers (8); the rest: the keys of the edge, then those of
//           the rows where keys decide
//   kept:   03, the rest: where KeptWalks has it, as one of the above
std::string EncodeGroups(const std::vector<Value>& groups);
std::string EncodeRows(const OrderedPage::Kept& kept);
std::string EncodeKept(std::string_view name);

enum class SeenKind : uint8_t { kGroups = 1, kRows = 2, kKept = 3 };

// The name of what is kept; nullopt: the bytes are what was seen, themselves.
std::optional<std::string_view> NameOfKept(std::string_view bytes);

struct SeenSoFar {
  SeenKind kind = SeenKind::kGroups;
  std::vector<Value> groups;
  OrderedPage::Kept rows;
};

// Of groups or rows. Values look at `bytes`. `keys`: how many a row has. Fails: kInvalidArgument for what neither
// gives.
Result<SeenSoFar> DecodeSeen(std::string_view bytes, size_t keys);

}  // namespace lapse::query::exec
