// The answer of the query plan endpoint.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "api/cosmos/query/query_ranges.h"
#include "base/status.h"
#include "query/sql/client_plan.h"

namespace lapse::api::cosmos {

void AppendQueryPlan(const query::sql::ClientPlan& plan, std::span<const QueryRange> ranges, std::string* json);

// Whether the client can do what the plan asks of it. `supported` is what it says about itself, joined by commas; a
// client that says nothing can do everything. Fails: kInvalidArgument.
Status CheckFeatures(const query::sql::ClientPlan& plan, std::string_view supported);

}  // namespace lapse::api::cosmos
