// Prints plans and conditions as text, for people and for tests.
#pragma once

#include <string>

#include "query/plan/condition.h"
#include "query/plan/operator.h"

namespace lapse::query::plan {

// Operators in the order in which rows pass them:
//   scan $0 | filter =($0.a, 1) | project {"a": $0.a} $1
std::string Describe(const Query& query);
std::string Describe(const Expression& expression);

// For example `(/a: 5 and /b[]/c: ~[1, 2])`. A `~` marks an inexact condition.
std::string Describe(const Condition& condition);
std::string Describe(const Path& path);

}  // namespace lapse::query::plan
