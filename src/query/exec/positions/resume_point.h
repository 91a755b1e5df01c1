// A place in the order of a query that a client names by values, where a continuation names it in bytes of our own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "query/plan/plan.h"
#include "query/values/value.h"

namespace lapse::query::exec {

struct ResumePoint {
  std::vector<Value> keys;                 // one for each key of ORDER BY
  std::optional<engine::ItemNumber> item;  // among rows with these keys; without it the place is all of them
  bool exclude = false;                    // rows begin behind the place, and not with it
};

// The position of a page (PageOptions::after) that begins at the point, or at `after` when that is further on; `after`
// may be empty. Fails: kInvalidArgument when the point is none of this query.
Result<std::string> PositionAt(const ResumePoint& point, const plan::Plan& plan, std::string after);

}  // namespace lapse::query::exec
