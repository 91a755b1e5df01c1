// The items of a container, or of a part of it, as a query walks over them: what lives by one moment, at one snapshot
// of each partition, in the order of creation.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/catalog/containers/container.h"
#include "engine/catalog/throughput/meter.h"
#include "engine/partition/index/index_page.h"
#include "engine/records/items/item.h"
#include "engine/records/partition_key/partition_key.h"
#include "query/exec/index/added_properties.h"
#include "query/exec/items/item_source.h"
#include "query/exec/scheduling/page_watch.h"

namespace lapse::query::exec {

// The item that the scan has come to, shown as an API shows it.
class ScannedItem : public ItemView, public AddedProperties {
 public:
  // Valid until the next call.
  virtual void Set(const engine::Item& item) = 0;
};

// Threads: one. What it is made of must outlive it.
class ContainerItems : public ItemSource {
 public:
  // The meter has let the page in, and gets to know which partitions it looks at.
  ContainerItems(const engine::Container& container, const engine::KeyScope& scope, ScannedItem* item,
                 engine::Meter* meter, const PageWatch* watch, const engine::IndexPage* page)
      : container_(container),
        scope_(scope),
        item_(item),
        meter_(meter),
        watch_(watch),
        page_(page),
        state_(container.state()) {}

  Result<std::string> Walk(std::string after, bool until_end, const TakeItem& take) override;
  const ItemView* item() const override { return item_; }
  int64_t item_milli_ru() const override;
  bool cut_short() const override { return cut_short_; }
  const engine::IndexingDefinition* indexing() const override { return &state_->definition.indexing; }

 private:
  const engine::Container& container_;
  const engine::KeyScope& scope_;
  ScannedItem* const item_;
  engine::Meter* const meter_;
  const PageWatch* const watch_;         // may be null
  const engine::IndexPage* const page_;  // what it sees; null: what is there when the walk begins
  const std::shared_ptr<const engine::ContainerState> state_;
  std::string_view document_;  // of the item
  bool cut_short_ = false;
};

}  // namespace lapse::query::exec
