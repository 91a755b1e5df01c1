// Where a page begins, from the bytes of a continuation.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "query/exec/positions/page_position.h"
#include "query/exec/positions/page_shape.h"

namespace lapse::query::exec {

struct PageStart {
  std::optional<PagePosition> behind;  // the row that the page begins behind; nullopt: it is the first page
  std::optional<PagePosition::UnfinishedScan> scan;  // that an earlier page did not finish

  const PagePosition* behind_row() const { return behind.has_value() ? &*behind : nullptr; }
};

// Keys look at `after`. Fails: kInvalidArgument for bytes that no page of this query gave out.
Result<PageStart> StartOf(const PageShape& shape, const std::string& after);

}  // namespace lapse::query::exec
