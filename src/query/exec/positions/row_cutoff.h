// Up to which row an ordered page still takes rows, as a walk in the same order asks.
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
  // The last row that the page keeps. It drops every row behind this one.
  struct LastRow {
    std::span<const Value> keys;
    TieBreak tie_break;
  };

  virtual ~RowCutoff() = default;

  // Nullopt: the page takes any row, since it is not full yet.
  virtual std::optional<LastRow> last_row() const = 0;
  // How many rows fill the page.
  virtual uint64_t rows_max() const = 0;
};

}  // namespace lapse::query::exec
