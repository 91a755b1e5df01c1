// The query that defines a computed property: one value, made of one item.
#pragma once

#include <string_view>

#include "base/status.h"
#include "query/plan/plan.h"

namespace lapse::query::sql {

// The plan is a scan and a projection. Fails: kInvalidArgument for what is no query, and for what such a definition
// must not have: anything but SELECT VALUE and a FROM that names the container, sub-queries, aggregates, functions of
// places on the earth, and functions that give another value each time.
Result<plan::Plan> PlanComputedProperty(std::string_view text);

}  // namespace lapse::query::sql
