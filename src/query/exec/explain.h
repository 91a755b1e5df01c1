// What would be done for a query, for people.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/catalog/containers/container.h"
#include "query/exec/index/added_properties.h"
#include "query/exec/index/index_use.h"
#include "query/plan/plan.h"

namespace lapse::query::exec {

struct Explanation {
  std::string plan;       // plan::Describe
  std::string condition;  // what the filters say about paths: plan::Describe
  std::string found_by;   // how the first page of it would find its items now
  IndexUse use;
};

// May block: sizes of ranges are measured, as for a page. Fails: as a page of the query would.
Result<Explanation> Explain(const plan::Plan& plan, const engine::Container& container, const AddedProperties& added);

}  // namespace lapse::query::exec
