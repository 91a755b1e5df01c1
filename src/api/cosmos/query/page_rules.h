// This API's rules for the pages of item queries (query/exec/rules/page_rules.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "api/cosmos/query/queried_item.h"
#include "query/exec/rules/page_rules.h"

namespace lapse::api::cosmos {

class ItemPageRules : public query::exec::PageRules {
 public:
  explicit ItemPageRules(const ItemsOwner& owner) : owner_(owner) {}

  // Includes the computed properties of the page's state.
  std::unique_ptr<query::exec::ScannedItem> NewItem(const engine::ContainerState& state,
                                                    const query::EvalSettings& settings) const override;
  Result<bool> LeavesOutUndefined(const query::exec::PageShape& shape, const engine::IndexingDefinition& indexing,
                                  const query::exec::AddedProperties& added) const override;
  // docs/request-units.md
  query::exec::ChargedItems ItemsToCharge(query::exec::IndexSupport support) const override;
  int64_t ItemMilliRu(std::string_view document, const engine::ContainerState& state) const override;
  int64_t PageMilliRu(int64_t items_milli_ru, bool paid_elsewhere) const override;

 private:
  const ItemsOwner owner_;
};

}  // namespace lapse::api::cosmos
