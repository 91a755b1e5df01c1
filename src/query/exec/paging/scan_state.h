// The state of a scan whose page ended before it did (docs/design/query.md, "Pages that take long").
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

// The encoding of a state. Integers are little-endian, including item numbers.
//
//   groups: 01, the rest: for each group its keys, then a partial of each aggregate (value_list.h)
//   rows:   02, flags (1: bit 0: there is an edge, bit 1: the row of the edge itself may be missing), item (8) and row
//           (4) of the edge, a count (4) and as many item numbers (8); the rest: the keys of the edge, then those of
//           the rows where keys decide
//   cached: 03, the rest: the name that ScanStateCache gave to one of the above
std::string EncodeGroups(const std::vector<Value>& groups);
std::string EncodeRows(const OrderedPage::State& state);
std::string EncodeCached(std::string_view name);

enum class ScanStateKind : uint8_t { kGroups = 1, kRows = 2, kCached = 3 };

// Returns the name of a cached state, or nullopt if the bytes are the state itself.
std::optional<std::string_view> NameOfCached(std::string_view bytes);

struct ScanState {
  ScanStateKind kind = ScanStateKind::kGroups;
  std::vector<Value> groups;
  OrderedPage::State rows;
};

// Decodes groups or rows. `keys` is the number of keys of a row. Values point into `bytes`. Fails: kInvalidArgument for
// malformed bytes.
Result<ScanState> DecodeScanState(std::string_view bytes, size_t keys);

}  // namespace lapse::query::exec
