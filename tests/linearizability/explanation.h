// Why a history cannot be explained, for people: few operations, none of which could be left out.
#pragma once

#include <string>

#include "tests/linearizability/checker.h"
#include "tests/linearizability/history.h"
#include "tests/linearizability/partition_model.h"

namespace lapse::linearizability {

// The smallest part of a violated history that is still violated: it ends with the first answer that is wrong, and
// holds only answers without which the rest could be explained. Of writes whose answers do not matter it only holds
// that they happened.
History SmallestViolation(const PartitionModel& model, const History& history);

// That part as text, one operation in a line: with a star those whose answers matter, and beside them who wrote what
// they show and the last writes of the same items. All other writes are only counted.
std::string Explain(const PartitionModel& model, const History& history);

}  // namespace lapse::linearizability
