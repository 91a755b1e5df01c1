#include "query/exec/explain.h"

#include <memory>

#include "engine/partition/reads/page_limit.h"
#include "query/exec/finding/access.h"
#include "query/exec/items/page_context.h"
#include "query/exec/positions/page_shape.h"
#include "query/exec/scheduling/page_watch.h"
#include "query/plan/condition.h"
#include "query/plan/describe.h"

namespace lapse::query::exec {
namespace {

constexpr int kPageSize = 100;

}  // namespace

Result<Explanation> Explain(const plan::Plan& plan, const engine::Container& container, const PageRules& rules) {
  LAPSE_ASSIGN_OR_RETURN(const PageShape shape, PageShape::Of(plan.query()));
  const plan::ScanCondition scan = plan::ConditionOfScan(shape.rows);
  const engine::KeyScope everywhere;
  PageWatch watch({}, {});
  watch.set_time_ns(engine::kPageTime_ns);
  LAPSE_ASSIGN_OR_RETURN(const std::unique_ptr<PageContext> page,
                         PageContext::Open(container, everywhere, EvalSettings(), &watch));
  const std::unique_ptr<ScannedItem> shown = rules.NewItem(page->state(), page->settings());
  AccessRequest request{&shape, &scan, nullptr, kPageSize};
  LAPSE_ASSIGN_OR_RETURN(request.leave_out_undefined,
                         rules.LeavesOutUndefined(shape, page->state().definition.indexing, *shown));
  Access access(*page, shown.get(), nullptr);
  LAPSE_RETURN_IF_ERROR(access.Choose(request, true));
  Explanation explanation;
  explanation.plan = plan::Describe(plan.query());
  explanation.condition = plan::Describe(scan.condition);
  explanation.found_by = access.found_by();
  const engine::ContainerIndex* const index = page->view().index();
  explanation.use = UseOf(scan, shape, index == nullptr ? nullptr : index->paths.get(), *shown);
  return explanation;
}

}  // namespace lapse::query::exec
