// An item as an API shows it to queries.
#pragma once

#include "engine/records/items/item.h"
#include "query/exec/eval/item_view.h"
#include "query/exec/rules/added_properties.h"

namespace lapse::query::exec {

// Threads: one.
class ScannedItem : public ItemView, public AddedProperties {
 public:
  // Shows this item, which is valid until the next call.
  virtual void Set(const engine::Item& item) = 0;
};

}  // namespace lapse::query::exec
