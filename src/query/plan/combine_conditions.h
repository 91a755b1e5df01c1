// Conditions made of conditions.
#pragma once

#include <vector>

#include "query/plan/condition.h"

namespace lapse::query::plan {

// Every item fulfils it. Exact: every item passes the filters, too.
Condition Everything(bool exact);
// Says nothing about items.
Condition Unknown();
// No item fulfils it.
Condition Nothing();
// There is a value in one of the ranges at the path.
Condition AtPath(Path path, std::vector<ValueRange> ranges, bool exact = true);

// Joins conditions on one path, except on elements of an array: two elements may fulfil two conditions.
Condition All(std::vector<Condition> given);
// Joins alternatives on one path, elements among them.
Condition Any(std::vector<Condition> given);

// Whether a step of the path goes into elements of an array.
bool HasElements(const Path& path);

}  // namespace lapse::query::plan
