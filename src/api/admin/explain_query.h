// What the server would do for a query: {"database": ..., "container": ..., "query": "SELECT ..."}, and `parameters` as
// a query has them.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/catalog/view/catalog_view.h"

namespace lapse::api::admin {

// The plan, what its filters say about paths, how items would be found now, and which paths of the policy that takes;
// as BSON. May block. Fails: kInvalidArgument for what is no such request and for a query that is refused; kNotFound.
Result<std::string> ExplainQuery(std::string_view json, const engine::CatalogView* catalog);

}  // namespace lapse::api::admin
