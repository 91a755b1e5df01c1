// Explains to people how a query would run.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/catalog/containers/container.h"
#include "query/exec/index/index_use.h"
#include "query/exec/rules/page_rules.h"
#include "query/plan/plan.h"

namespace lapse::query::exec {

struct Explanation {
  std::string plan;       // plan::Describe
  std::string condition;  // the conditions that filters put on paths: plan::Describe
  std::string found_by;   // how its first page would find its items now
  IndexUse use;
};

// Reads no items. May block: it measures sizes of ranges, as a page does. Fails: as a page of the query would.
Result<Explanation> Explain(const plan::Plan& plan, const engine::Container& container, const PageRules& rules);

}  // namespace lapse::query::exec
