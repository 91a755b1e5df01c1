// A plan as text, for people and for tests: one operator after another in the order in which rows pass them.
//   scan $0 | filter =($0.a, 1) | project {"a": $0.a} $1
#pragma once

#include <string>

#include "query/plan/operator.h"

namespace lapse::query::plan {

std::string Describe(const Query& query);
std::string Describe(const Expression& expression);

}  // namespace lapse::query::plan
