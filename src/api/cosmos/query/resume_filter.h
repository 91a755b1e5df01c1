// The member `resumeFilter` of a query's body. The .NET SDK uses it to say where in the order of an ORDER BY query the
// results begin, when it continues a query whose partitions it merges.
//
//   {"value": [1, "a"], "rid": "...", "exclude": false}
//
// `value` has a value for each expression of ORDER BY; `[]` stands for undefined. `rid` is an item among those with
// these values; without it the point covers all of them. Results begin with the point, or after it if `exclude` is
// true.
#pragma once

#include <string>

#include "api/cosmos/query/queried_item.h"
#include "base/status.h"
#include "doc/value.h"
#include "query/plan/plan.h"

namespace lapse::api::cosmos {

// Returns the position at which a page begins. This is the filter's, or `position` (from the continuation, may be
// empty) if that is further on or there is no filter. Fails: kInvalidArgument.
Result<std::string> BeginOf(doc::Value filter, const ItemsOwner& owner, const query::plan::Plan& plan,
                            std::string position);

}  // namespace lapse::api::cosmos
