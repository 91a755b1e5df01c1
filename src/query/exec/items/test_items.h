// Items for tests of pages: the document, and nothing that an API adds to it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "doc/value.h"
#include "query/exec/rules/page_rules.h"

namespace lapse::query::exec {

class DocumentAlone : public ScannedItem {
 public:
  void Set(const engine::Item& item) override { item_ = &item; }
  Meaning MeaningOf(std::string_view) const override { return Meaning::kNotAdded; }
  std::optional<engine::ItemNumber> NumberOf(std::string_view) const override { return std::nullopt; }
  Value Property(std::string_view name, Arena*) const override {
    return Value::FromBson(doc::Find(item_->document, name));
  }
  Value Whole(Arena*) const override { return Value::Object(item_->document); }

 private:
  const engine::Item* item_ = nullptr;
};

// Makes the items of pages by a function.
template <typename NewItemFunction>
class TestRules : public PageRules {
 public:
  explicit TestRules(NewItemFunction new_item) : new_item_(std::move(new_item)) {}
  std::unique_ptr<ScannedItem> NewItem(const engine::ContainerState&, const EvalSettings&) const override {
    return new_item_();
  }

 private:
  const NewItemFunction new_item_;
};
// For items that are made of nothing.
template <typename Item>
auto RulesFor() {
  return TestRules([] { return std::make_unique<Item>(); });
}

// Each look at an item takes so long.
class SlowItem final : public DocumentAlone {
 public:
  SlowItem(ManualSteadyClock* steady, int64_t takes_ms) : steady_(steady), takes_ms_(takes_ms) {}
  void Set(const engine::Item& item) override {
    DocumentAlone::Set(item);
    steady_->AdvanceMs(takes_ms_);
  }

 private:
  ManualSteadyClock* const steady_;
  const int64_t takes_ms_;
};

}  // namespace lapse::query::exec
