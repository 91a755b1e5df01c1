// Tells a scan in the same order up to which row an ordered page still takes rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "query/exec/positions/page_position.h"
#include "query/values/value.h"

namespace lapse::query::exec {

// Threads: one.
class RowCutoff {
 public:
  // The last row that the page keeps. It drops every row after this one.
  struct LastRow {
    std::span<const Value> keys;
    TieBreak tie_break;
  };

  virtual ~RowCutoff() = default;

  // Returns nullopt if the page takes any row because it is not full yet.
  virtual std::optional<LastRow> last_row() const = 0;
  // The number of rows that fill the page.
  virtual uint64_t rows_max() const = 0;
};

}  // namespace lapse::query::exec
