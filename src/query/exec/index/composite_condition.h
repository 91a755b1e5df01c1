// Turns conditions on several paths into ranges of one composite index: equal values on its first paths, a range on the
// next.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/records/index/indexed_paths.h"
#include "query/exec/index/index_condition.h"
#include "query/plan/condition.h"

namespace lapse::query::exec {

// Conditions on the first paths of a composite index, in the order of the paths.
struct CompositeUse {
  const engine::IndexedPaths::Composite* composite = nullptr;
  std::vector<const plan::Condition*> conditions;  // at least two
};

// Finds the composite index that covers most of these conditions, all of which must hold. Returns nullopt if none
// covers two.
std::optional<CompositeUse> FindComposite(std::span<const plan::Condition> conditions, const KnownPaths& known);

// Returns the entries of the items that meet these conditions.
IndexCondition EntriesOf(const CompositeUse& use);

}  // namespace lapse::query::exec
