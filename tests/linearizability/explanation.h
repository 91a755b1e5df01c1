// Why a history cannot be explained, for people: few operations, none of which could be left out.
#pragma once

#include <string>

#include "tests/linearizability/checker.h"
#include "tests/linearizability/history.h"
#include "tests/linearizability/partition_model.h"

namespace lapse::linearizability {

// The smallest part of a violated history that is still violated: it ends with the first answer that is wrong, and holds
// only answers without which the rest could be explained. Writes whose answers do not matter are in it as unknown ones.
History SmallestViolation(const PartitionModel& model, const History& history);

// That part as text, one operation in a line. Writes that do not matter are only counted.
std::string Explain(const PartitionModel& model, const History& history);

}  // namespace lapse::linearizability
