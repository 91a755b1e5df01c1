// The member `resumeFilter` of a query's body: .NET says with it where in the order of an ORDER BY query the results
// begin, when it goes on with a query that it merges from several partitions.
//
//   {"value": [1, "a"], "rid": "...", "exclude": false}
//
// `value` has a value for each expression of ORDER BY; `[]` stands for undefined. `rid` is an item among those with
// these values; without it the place is all of them. Results begin with the place, or behind it when `exclude` is true.
#pragma once

#include <string>

#include "api/cosmos/query/queried_item.h"
#include "base/status.h"
#include "doc/value.h"
#include "query/plan/plan.h"

namespace lapse::api::cosmos {

// The position at which a page begins: that of the filter, or `position` (of the continuation, may be empty) when it is
// further on or there is no filter. Fails: kInvalidArgument.
Result<std::string> BeginOf(doc::Value filter, const ItemsOwner& owner, const query::plan::Plan& plan,
                            std::string position);

}  // namespace lapse::api::cosmos
