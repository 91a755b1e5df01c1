// An item as queries see it: the document, and the properties that the system adds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/records/ids/ids.h"
#include "engine/records/items/item.h"
#include "query/exec/rules/scanned_item.h"
#include "query/exec/single_item/computed_values.h"
#include "query/functions/eval_context.h"

namespace lapse::api::cosmos {

// Whose items they are: the names of the system have it in them.
struct ItemsOwner {
  engine::DatabaseId database = 0;
  engine::ContainerId container = 0;
};

// What is computed is seen by its name alone: the whole item does not have it. It hides a property of the document.
class QueriedItem : public query::exec::ScannedItem {
 public:
  // `computed`: what is computed for each item; null: nothing. It must outlive this.
  explicit QueriedItem(const ItemsOwner& owner, query::exec::ComputedValues* computed = nullptr)
      : owner_(owner), computed_(computed), stored_(this) {}
  // With one of its own.
  QueriedItem(const ItemsOwner& owner, std::unique_ptr<query::exec::ComputedValues> computed)
      : owner_(owner), own_(std::move(computed)), computed_(own_.get()), stored_(this) {}

  void Set(const engine::Item& item) override { item_ = &item; }
  Meaning MeaningOf(std::string_view name) const override;
  std::optional<engine::ItemNumber> NumberOf(std::string_view rid) const override;
  bool IsMadeBy(std::string_view name, std::string_view rule) const override;
  query::Value Property(std::string_view name, query::Arena* arena) const override;
  query::Value Whole(query::Arena* arena) const override;

 private:
  // The same without what is computed, as definitions of that see it.
  class Stored : public query::exec::ItemView {
   public:
    explicit Stored(const QueriedItem* item) : item_(item) {}
    query::Value Property(std::string_view name, query::Arena* arena) const override {
      return item_->StoredProperty(name, arena);
    }
    query::Value Whole(query::Arena* arena) const override { return item_->Whole(arena); }

   private:
    const QueriedItem* const item_;
  };

  bool IsComputed(std::string_view name) const { return computed_ != nullptr && computed_->Has(name); }
  query::Value StoredProperty(std::string_view name, query::Arena* arena) const;
  // Undefined for a name that is none of the system's.
  query::Value SystemProperty(std::string_view name, query::Arena* arena) const;

  const ItemsOwner owner_;
  const std::unique_ptr<query::exec::ComputedValues> own_;
  query::exec::ComputedValues* const computed_;
  const Stored stored_;
  const engine::Item* item_ = nullptr;
  mutable std::string text_;  // of a system property while it is made
};

// The number of an item is in its `_rid`.
class ItemNumbers : public query::DocumentNumbers {
 public:
  explicit ItemNumbers(const ItemsOwner& owner) : owner_(owner) {}

  std::optional<int64_t> NumberOf(query::Value document) const override;

 private:
  const ItemsOwner owner_;
};

}  // namespace lapse::api::cosmos
