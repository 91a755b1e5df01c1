#include "api/cosmos/items/patch_condition.h"

#include <string>
#include <utility>

#include "api/cosmos/items/patch_text.h"
#include "query/exec/single_item/match.h"
#include "query/functions/date_time.h"
#include "query/sql/bind.h"
#include "query/sql/parse.h"

namespace lapse::api::cosmos {
namespace {

// It is evaluated during a commit, so its memory is limited like that of an item.
constexpr size_t kMemoryMax = size_t{16} << 20;

}  // namespace

Result<std::shared_ptr<const engine::ItemCondition>> PatchCondition::Parse(std::string_view text,
                                                                           const ItemsOwner& owner) {
  Result<query::sql::SyntaxTree> tree = query::sql::ParseCondition(text);
  if (!tree.ok()) return WrongPatch(BadPatchSyntax("'condition' is wrong: " + tree.status().message()));
  Result<query::plan::Plan> plan = query::sql::Bind(*tree, {});
  if (!plan.ok()) return WrongPatch(BadPatchSyntax("'condition' is wrong: " + plan.status().message()));
  if (!query::exec::IsFilterOfItems(plan->query())) {
    return WrongPatch(BadPatchSyntax("'condition' must be a FROM and a WHERE clause over the item."));
  }
  return std::shared_ptr<const engine::ItemCondition>(std::make_shared<PatchCondition>(*std::move(plan), owner));
}

Result<bool> PatchCondition::Holds(const engine::ItemMeta& meta, std::string_view document, int64_t now_ms,
                                   uint64_t* steps) const {
  engine::Item item;
  item.meta = meta;
  item.document = document;
  QueriedItem queried(owner_);
  queried.Set(item);
  query::EvalSettings settings;
  settings.memory_bytes_max = kMemoryMax;
  settings.now_ticks = now_ms * query::kTicksPerMs;
  return query::exec::Matches(plan_, &queried, document.size(), settings, steps);
}

}  // namespace lapse::api::cosmos
