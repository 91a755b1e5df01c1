// Items for page tests: the document alone, without added properties.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "doc/value.h"
#include "engine/records/prices/prices.h"
#include "query/exec/rules/page_rules.h"
#include "query/plan/condition.h"

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

// Rules of an API that orders as its indexes do. They leave out rows without a value for the one order key, a path of
// names, unless the policy names that path. They refuse no order and charge the prices of the engine. A function makes
// the items.
template <typename NewItemFunction>
class TestRules : public PageRules {
 public:
  explicit TestRules(NewItemFunction new_item) : new_item_(std::move(new_item)) {}
  std::unique_ptr<ScannedItem> NewItem(const engine::ContainerState&, const EvalSettings&) const override {
    return new_item_();
  }
  Result<bool> LeavesOutUndefined(const PageShape& shape, const engine::IndexingDefinition& indexing,
                                  const AddedProperties& added) const override {
    if (shape.order.size() != 1 || shape.order[0].expression == nullptr) return false;
    const std::optional<plan::Path> path = plan::PathOf(*shape.order[0].expression, shape.rows);
    if (!path.has_value() || path->empty()) return false;
    if (added.MeaningOf(path->front().name) != AddedProperties::Meaning::kNotAdded) return false;
    std::vector<std::string> names;
    for (const plan::PathStep& step : *path) {
      if (step.into_elements) return false;
      names.emplace_back(step.name);
    }
    return std::none_of(indexing.paths.begin(), indexing.paths.end(), [&](const engine::IndexingDefinition::Path& one) {
      return one.one_value && one.indexed && one.names == names;
    });
  }
  ChargedItems ItemsToCharge(IndexSupport support) const override {
    switch (support) {
      case IndexSupport::kNone: break;
      case IndexSupport::kFilter: return ChargedItems::kMatching;
      case IndexSupport::kOrder: return ChargedItems::kReturned;
      case IndexSupport::kAnswer: return ChargedItems::kNone;
    }
    return ChargedItems::kScanned;
  }
  int64_t ItemMilliRu(std::string_view document, const engine::ContainerState& state) const override {
    return engine::PageItemMilliRu(document, state.definition.lifetime_property);
  }
  int64_t PageMilliRu(int64_t items_milli_ru, bool paid_elsewhere) const override {
    return engine::PageMilliRu(items_milli_ru, paid_elsewhere);
  }

 private:
  const NewItemFunction new_item_;
};
// For items that are default-constructed.
template <typename Item>
auto RulesFor() {
  return TestRules([] { return std::make_unique<Item>(); });
}

// Each property lookup takes this long.
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
