// The query that defines a computed property: one value, computed from one item.
#pragma once

#include <string_view>

#include "base/status.h"
#include "query/plan/plan.h"

namespace lapse::query::sql {

// Returns a plan with a scan and a projection. Fails: kInvalidArgument for text that is not a query, and for what such
// a definition must not contain: anything but SELECT VALUE and a FROM that names the container, sub-queries,
// aggregates, spatial functions, and functions whose value changes from call to call.
Result<plan::Plan> PlanComputedProperty(std::string_view text);

}  // namespace lapse::query::sql
