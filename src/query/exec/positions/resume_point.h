// A point in the order of a query that a client names by values. A continuation names it in bytes of our own.
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
  std::optional<engine::ItemNumber> item;  // among rows with these keys; without it the place is all of them
  bool exclude = false;                    // rows begin behind the place, and not with it
};

// Whether a page of a query can begin at a point.
enum class ResumeFit : uint8_t {
  kFits,
  kNoOrder,      // the query has no order by expressions
  kOtherKeys,    // the order has another number of keys
  kMustExclude,  // rows have no place beside their keys: a page can only begin behind them
};
Result<ResumeFit> FitOf(const ResumePoint& point, const plan::Plan& plan);

// For a point that fits: the position of a page (PageOptions::after) that begins there, or at `after` if that is
// further on; `after` may be empty. Fails: kInvalidArgument if `after` is none of this query.
Result<std::string> PositionAt(const ResumePoint& point, const plan::Plan& plan, std::string after);

}  // namespace lapse::query::exec
