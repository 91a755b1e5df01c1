// What this API decides about the pages of queries over items (query/exec/rules/page_rules.h).
#pragma once

#include <memory>

#include "api/cosmos/query/queried_item.h"
#include "query/exec/rules/page_rules.h"

namespace lapse::api::cosmos {

class ItemPageRules : public query::exec::PageRules {
 public:
  explicit ItemPageRules(const ItemsOwner& owner) : owner_(owner) {}

  // With the computed properties of the page's state.
  std::unique_ptr<query::exec::ScannedItem> NewItem(const engine::ContainerState& state,
                                                    const query::EvalSettings& settings) const override;

 private:
  const ItemsOwner owner_;
};

}  // namespace lapse::api::cosmos
