// Which paths of an indexing policy a plan uses, and which further paths it would use. Clients are told both.
#pragma once

#include <string>
#include <vector>

#include "engine/records/index/indexed_paths.h"
#include "query/exec/index/index_condition.h"
#include "query/exec/positions/page_shape.h"
#include "query/plan/condition.h"

namespace lapse::query::exec {

// Paths are written as in a policy: `/a/b/?`, `/tags/[]/?`. Each occurs once, in order.
struct IndexUse {
  std::vector<std::string> utilized;
  std::vector<std::string> potential;                         // missing from the policy, but would help
  std::vector<std::vector<std::string>> utilized_composites;  // the parts of each: `/a ASC`
  std::vector<std::string> utilized_spatial;                  // also in `utilized`
};

// Depends only on the plan and the policy, not on how many items there are. `index` null: there is none.
IndexUse UseOf(const plan::ScanCondition& scan, const PageShape& shape, const engine::IndexedPaths* index,
               const AddedProperties& added);

}  // namespace lapse::query::exec
