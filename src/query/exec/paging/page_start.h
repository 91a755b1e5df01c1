// Decodes from a continuation where a page begins.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "query/exec/positions/page_position.h"
#include "query/exec/positions/page_shape.h"

namespace lapse::query::exec {

struct PageStart {
  std::optional<PagePosition> behind;                // the page begins after this row; nullopt: it is the first page
  std::optional<PagePosition::UnfinishedScan> scan;  // a scan that an earlier page did not finish

  const PagePosition* behind_row() const { return behind.has_value() ? &*behind : nullptr; }
};

// Keys point into `after`. Fails: kInvalidArgument for bytes that no page of this query returned.
Result<PageStart> StartOf(const PageShape& shape, const std::string& after);

}  // namespace lapse::query::exec
