#include "api/cosmos/query/page_rules.h"

#include <utility>

#include "api/cosmos/containers/computed_properties.h"
#include "query/exec/single_item/computed_values.h"

namespace lapse::api::cosmos {

std::unique_ptr<query::exec::ScannedItem> ItemPageRules::NewItem(const engine::ContainerState& state,
                                                                 const query::EvalSettings& settings) const {
  auto computed = std::make_unique<query::exec::ComputedValues>(settings);
  DefineComputed(state.definition.properties, computed.get());
  return std::make_unique<QueriedItem>(owner_, std::move(computed));
}

}  // namespace lapse::api::cosmos
