// The response of the query plan endpoint.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "api/cosmos/query/query_ranges.h"
#include "base/status.h"
#include "query/sql/client_plan.h"

namespace lapse::api::cosmos {

void AppendQueryPlan(const query::sql::ClientPlan& plan, std::span<const QueryRange> ranges, std::string* json);

// Whether the client has the features that the plan needs. `supported` is the client's own list, separated by commas. A
// client that sends no list supports everything. Fails: kInvalidArgument.
Status CheckFeatures(const query::sql::ClientPlan& plan, std::string_view supported);

}  // namespace lapse::api::cosmos
