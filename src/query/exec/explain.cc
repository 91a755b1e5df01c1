#include "query/exec/explain.h"

#include <memory>

#include "engine/partition/index/index_page.h"
#include "query/exec/finding/access.h"
#include "query/exec/order_rule.h"
#include "query/exec/positions/page_shape.h"
#include "query/plan/condition.h"
#include "query/plan/describe.h"

namespace lapse::query::exec {
namespace {

constexpr int kPageSize = 100;

// No item is ever shown.
class NoItem : public ScannedItem {
 public:
  explicit NoItem(const AddedProperties& added) : added_(added) {}
  void Set(const engine::Item&) override {}
  Meaning MeaningOf(std::string_view name) const override { return added_.MeaningOf(name); }
  std::optional<engine::ItemNumber> NumberOf(std::string_view text) const override { return added_.NumberOf(text); }
  bool IsMadeBy(std::string_view name, std::string_view rule) const override { return added_.IsMadeBy(name, rule); }
  Value Property(std::string_view, Arena*) const override { return {}; }
  Value Whole(Arena*) const override { return {}; }

 private:
  const AddedProperties& added_;
};

}  // namespace

Result<Explanation> Explain(const plan::Plan& plan, const engine::Container& container, const AddedProperties& added) {
  LAPSE_ASSIGN_OR_RETURN(const PageShape shape, PageShape::Of(plan.query()));
  Wanted wanted{&shape, nullptr, kPageSize};
  const std::shared_ptr<const engine::ContainerState> state = container.state();
  LAPSE_ASSIGN_OR_RETURN(wanted.leave_out_undefined, LeavesOutUndefined(shape, state->definition.indexing, added));
  NoItem item(added);
  const engine::KeyScope everywhere;
  Access access(container, everywhere, &item, nullptr, nullptr, nullptr);
  LAPSE_RETURN_IF_ERROR(access.Choose(wanted, true));
  Explanation explanation;
  explanation.plan = plan::Describe(plan.query());
  const plan::ScanCondition scan = plan::ConditionOfScan(shape.rows);
  explanation.condition = plan::Describe(scan.condition);
  explanation.found_by = access.found_by();
  const engine::IndexedPaths* const paths = state->index.has_value() ? state->index->paths.get() : nullptr;
  explanation.use = UseOf(scan, shape, paths, added);
  return explanation;
}

}  // namespace lapse::query::exec
