// Turns a syntax tree into a plan: resolves names, replaces parameters by values, finds functions, turns clauses into
// operators, and refuses what the language forbids.
#pragma once

#include <span>
#include <string_view>

#include "base/status.h"
#include "query/plan/plan.h"
#include "query/sql/syntax.h"
#include "query/values/value.h"

namespace lapse::query::sql {

struct Parameter {
  std::string_view name;  // with its @; case-sensitive
  Value value;
};

// The plan depends on neither the tree nor the parameters afterwards. Fails: kInvalidArgument with up to ten errors in
// the service's form (error_list.h).
Result<plan::Plan> Bind(const SyntaxTree& tree, std::span<const Parameter> parameters);

// Whether every aggregate of the query is a whole item of its SELECT. Clients cannot merge the results of several
// partitions otherwise, so the query plan refuses such a query.
Status CheckAggregatesStandAlone(const Query& query);

}  // namespace lapse::query::sql
