// An item as queries see it: the document, and the properties that the system adds.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/catalog/container.h"
#include "query/exec/query_page.h"
#include "query/functions/eval_context.h"

namespace lapse::api::cosmos {

class QueriedItem : public query::exec::ScannedItem {
 public:
  explicit QueriedItem(const engine::Container& container) : container_(container) {}

  void Set(const engine::Item& item) override { item_ = &item; }
  query::Value Property(std::string_view name, query::Arena* arena) const override;
  query::Value Whole(query::Arena* arena) const override;

 private:
  // Undefined for a name that is none of the system's.
  query::Value SystemProperty(std::string_view name, query::Arena* arena) const;

  const engine::Container& container_;
  const engine::Item* item_ = nullptr;
};

// The number of an item is in its `_rid`.
class ItemNumbers : public query::DocumentNumbers {
 public:
  ItemNumbers(engine::DatabaseId database, engine::ContainerId container)
      : database_(database), container_(container) {}

  std::optional<int64_t> NumberOf(query::Value document) const override;

 private:
  const engine::DatabaseId database_;
  const engine::ContainerId container_;
};

}  // namespace lapse::api::cosmos
