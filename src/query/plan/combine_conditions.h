// Builds conditions from other conditions.
#pragma once

#include <vector>

#include "query/plan/condition.h"

namespace lapse::query::plan {

// Every item meets it. Exact: every item passes the filters, too.
Condition Everything(bool exact);
// Says nothing about items.
Condition Unknown();
// No item meets it.
Condition Nothing();
// There is a value in one of the ranges at the path.
Condition AtPath(Path path, std::vector<ValueRange> ranges, bool exact = true);

// All conditions must hold. Joins those on one path, except on array elements: two elements may meet two conditions.
Condition All(std::vector<Condition> given);
// One condition must hold. Joins those on one path, including array elements.
Condition Any(std::vector<Condition> given);

// Whether a step of the path enters the elements of an array.
bool HasElements(const Path& path);

}  // namespace lapse::query::plan
