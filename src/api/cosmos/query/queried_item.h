// An item as queries see it: the document, and the properties that the system adds.
#pragma once

#include <string_view>

#include "engine/ids.h"
#include "engine/items/item.h"
#include "query/exec/query_page.h"

namespace lapse::api::cosmos {

// Whose items they are: the names of the system have it in them.
struct ItemsOwner {
  engine::DatabaseId database = 0;
  engine::ContainerId container = 0;
};

class QueriedItem : public query::exec::ScannedItem {
 public:
  explicit QueriedItem(const ItemsOwner& owner) : owner_(owner) {}

  void Set(const engine::Item& item) override { item_ = &item; }
  query::Value Property(std::string_view name, query::Arena* arena) const override;
  query::Value Whole(query::Arena* arena) const override;

 private:
  // Undefined for a name that is none of the system's.
  query::Value SystemProperty(std::string_view name, query::Arena* arena) const;

  const ItemsOwner owner_;
  const engine::Item* item_ = nullptr;
};

}  // namespace lapse::api::cosmos
