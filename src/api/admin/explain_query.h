// Explains what the server would do for a query: {"database": ..., "container": ..., "query": "SELECT ..."}, with
// `parameters` as in a query.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/catalog/view/catalog_view.h"

namespace lapse::api::admin {

// Returns, as BSON, the plan, the conditions that its filters put on paths, how items would be found now, and which
// paths of the policy that uses. May block. Fails: kInvalidArgument for a malformed request, and for a query that is
// refused; kNotFound.
Result<std::string> ExplainQuery(std::string_view json, const engine::CatalogView* catalog);

}  // namespace lapse::api::admin
