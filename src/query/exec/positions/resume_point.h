// A point in the order of a query that a client names by values. A continuation names it in opaque bytes.
#pragma once

#include <cstdint>
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
  std::optional<engine::ItemNumber> item;  // the item among rows with these keys; nullopt: all of those rows
  bool exclude = false;                    // start after the point, without its own rows
};

// Whether a page of a query can begin at a point.
enum class ResumeFit : uint8_t {
  kFits,
  kNoOrder,      // the query has no order by expressions
  kOtherKeys,    // the order has a different number of keys
  kMustExclude,  // rows have no position beyond their keys, so a page can only begin after them
};
Result<ResumeFit> FitOf(const ResumePoint& point, const plan::Plan& plan);

// Returns the page position (PageOptions::after) of a point that fits. If `after` is further on, the page begins there
// instead; `after` may be empty. Fails: kInvalidArgument if `after` belongs to another query.
Result<std::string> PositionAt(const ResumePoint& point, const plan::Plan& plan, std::string after);

}  // namespace lapse::query::exec
