#include "api/cosmos/query/page_rules.h"

#include <utility>

#include "api/cosmos/containers/definition/computed_properties.h"
#include "api/order_rule.h"
#include "engine/records/prices/prices.h"
#include "query/exec/single_item/computed_values.h"

namespace lapse::api::cosmos {

std::unique_ptr<query::exec::ScannedItem> ItemPageRules::NewItem(const engine::ContainerState& state,
                                                                 const query::EvalSettings& settings) const {
  auto computed = std::make_unique<query::exec::ComputedValues>(settings);
  DefineComputed(state.definition.properties, computed.get());
  return std::make_unique<QueriedItem>(owner_, std::move(computed));
}

Result<bool> ItemPageRules::LeavesOutUndefined(const query::exec::PageShape& shape,
                                               const engine::IndexingDefinition& indexing,
                                               const query::exec::AddedProperties& added) const {
  return api::LeavesOutUndefined(shape, indexing, added);
}

query::exec::ChargedItems ItemPageRules::ItemsToCharge(query::exec::IndexSupport support) const {
  using query::exec::ChargedItems;
  using query::exec::IndexSupport;
  switch (support) {
    case IndexSupport::kNone: return ChargedItems::kScanned;
    case IndexSupport::kFilter: return ChargedItems::kMatching;
    case IndexSupport::kOrder: return ChargedItems::kReturned;
    case IndexSupport::kAnswer: return ChargedItems::kNone;
  }
  return ChargedItems::kScanned;
}

int64_t ItemPageRules::ItemMilliRu(std::string_view document, const engine::ContainerState& state) const {
  return engine::PageItemMilliRu(document, state.definition.lifetime_property);
}

int64_t ItemPageRules::PageMilliRu(int64_t items_milli_ru, bool paid_elsewhere) const {
  return engine::PageMilliRu(items_milli_ru, paid_elsewhere);
}

}  // namespace lapse::api::cosmos
