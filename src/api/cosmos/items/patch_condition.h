// The condition of a patch, `from c where c.stock > 0`: a query over a single item.
#pragma once

#include <memory>
#include <string_view>

#include "api/cosmos/query/queried_item.h"
#include "base/status.h"
#include "engine/records/items/item_patch.h"
#include "query/plan/plan.h"

namespace lapse::api::cosmos {

class PatchCondition : public engine::ItemCondition {
 public:
  // Fails: kInvalidArgument for anything but the FROM and WHERE of a query.
  static Result<std::shared_ptr<const engine::ItemCondition>> Parse(std::string_view text, const ItemsOwner& owner);

  PatchCondition(query::plan::Plan plan, const ItemsOwner& owner) : plan_(std::move(plan)), owner_(owner) {}
  Result<bool> Holds(const engine::ItemMeta& meta, std::string_view document, int64_t now_ms,
                     uint64_t* steps) const override;

 private:
  const query::plan::Plan plan_;
  const ItemsOwner owner_;
};

}  // namespace lapse::api::cosmos
