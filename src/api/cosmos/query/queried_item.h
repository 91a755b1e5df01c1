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

// The owner of the items, which is a part of the system's names.
struct ItemsOwner {
  engine::DatabaseId database = 0;
  engine::ContainerId container = 0;
};

// A computed property is visible by name only: the whole item does not contain it. It hides a property of the document.
class QueriedItem : public query::exec::ScannedItem {
 public:
  // `computed`: the computed properties; null: none. It must outlive this.
  explicit QueriedItem(const ItemsOwner& owner, query::exec::ComputedValues* computed = nullptr)
      : owner_(owner), computed_(computed), stored_(this) {}
  // Owns its computed properties.
  QueriedItem(const ItemsOwner& owner, std::unique_ptr<query::exec::ComputedValues> computed)
      : owner_(owner), own_(std::move(computed)), computed_(own_.get()), stored_(this) {}

  void Set(const engine::Item& item) override { item_ = &item; }
  Meaning MeaningOf(std::string_view name) const override;
  std::optional<engine::ItemNumber> NumberOf(std::string_view rid) const override;
  bool IsMadeBy(std::string_view name, std::string_view rule) const override;
  query::Value Property(std::string_view name, query::Arena* arena) const override;
  query::Value Whole(query::Arena* arena) const override;

 private:
  // The same item without computed properties, as their definitions see it.
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
  // Returns undefined for a name that is not the system's.
  query::Value SystemProperty(std::string_view name, query::Arena* arena) const;

  const ItemsOwner owner_;
  const std::unique_ptr<query::exec::ComputedValues> own_;
  query::exec::ComputedValues* const computed_;
  const Stored stored_;
  const engine::Item* item_ = nullptr;
  mutable std::string text_;  // buffer for a system property
};

// Reads an item's number from its `_rid`.
class ItemNumbers : public query::DocumentNumbers {
 public:
  explicit ItemNumbers(const ItemsOwner& owner) : owner_(owner) {}

  std::optional<int64_t> NumberOf(query::Value document) const override;

 private:
  const ItemsOwner owner_;
};

}  // namespace lapse::api::cosmos
