// Explains to people why a history is not linearizable, by a few operations that are all necessary.
#pragma once

#include <string>

#include "tests/linearizability/checker.h"
#include "tests/linearizability/history.h"
#include "tests/linearizability/partition_model.h"

namespace lapse::linearizability {

// Returns the smallest part of a violated history that is still violated. It ends with the first wrong answer, and
// holds only answers without which the rest could be explained. Of writes whose answers do not matter it says only that
// they happened.
History SmallestViolation(const PartitionModel& model, const History& history);

// Returns that part as text, one operation per line. A star marks those whose answers matter. They come with the writes
// of what they show and the last writes of the same items. All other writes are only counted.
std::string Explain(const PartitionModel& model, const History& history);

}  // namespace lapse::linearizability
