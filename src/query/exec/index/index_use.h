// Which paths of an indexing policy a plan makes use of, and which it would: what clients are told of a query.
#pragma once

#include <string>
#include <vector>

#include "engine/records/index/indexed_paths.h"
#include "query/exec/index/index_condition.h"
#include "query/exec/positions/page_shape.h"
#include "query/plan/condition.h"

namespace lapse::query::exec {

// Paths are written as a policy has them: `/a/b/?`, `/tags/[]/?`. Each once, in order.
struct IndexUse {
  std::vector<std::string> utilized;
  std::vector<std::string> potential;                         // not in the policy, and would help
  std::vector<std::vector<std::string>> utilized_composites;  // of each the parts: `/a ASC`
  std::vector<std::string> utilized_spatial;                  // in `utilized`, too
};

// It depends on the plan and on the policy alone, not on how many items there are. `index` null: there is none.
IndexUse UseOf(const plan::ScanCondition& scan, const PageShape& shape, const engine::IndexedPaths* index,
               const AddedProperties& added);

}  // namespace lapse::query::exec
