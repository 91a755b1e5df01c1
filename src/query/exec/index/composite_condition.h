// Conditions on several paths as ranges of one composite index: equal values on its first paths, a range on the next.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/records/index/indexed_paths.h"
#include "query/exec/index/index_condition.h"
#include "query/plan/condition.h"

namespace lapse::query::exec {

// Its first paths have these conditions, in the order of the paths.
struct CompositeUse {
  const engine::IndexedPaths::Composite* composite = nullptr;
  std::vector<const plan::Condition*> conditions;  // at least two
};

// Of conditions that all have to be fulfilled: the composite index that has most of them. Nullopt: none has two.
std::optional<CompositeUse> FindComposite(std::span<const plan::Condition> conditions, const KnownPaths& known);

// The entries of items that fulfil them.
IndexCondition EntriesOf(const CompositeUse& use);

}  // namespace lapse::query::exec
