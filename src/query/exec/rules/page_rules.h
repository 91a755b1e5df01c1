// What an API decides about the pages of its queries, beside the plan.
#pragma once

#include <memory>

#include "engine/records/definitions/container_state.h"
#include "query/exec/rules/scanned_item.h"
#include "query/functions/eval_context.h"

namespace lapse::query::exec {

// Threads: any.
class PageRules {
 public:
  virtual ~PageRules() = default;

  // Shows the items of a page to one of its threads. The state is that of the page, and lives as long as the page.
  virtual std::unique_ptr<ScannedItem> NewItem(const engine::ContainerState& state,
                                               const EvalSettings& settings) const = 0;
};

}  // namespace lapse::query::exec
