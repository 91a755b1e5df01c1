// Scans a container, or a part of it: its live items in the order of creation.
#pragma once

#include <string>

#include "engine/catalog/throughput/request_meter.h"
#include "engine/records/partition_key/partition_key.h"
#include "query/exec/items/item_source.h"
#include "query/exec/items/page_context.h"
#include "query/exec/rules/scanned_item.h"
#include "query/exec/scheduling/page_watch.h"

namespace lapse::query::exec {

// Threads: one. Its arguments must outlive it.
class ContainerItems : public ItemSource {
 public:
  // `scope`: the part of the page's scope to scan. The meter has already admitted the page, and is told which
  // partitions the scan reads; null: it is not told. `watch`: belongs to the scanning thread.
  ContainerItems(const PageContext& page, const engine::KeyScope& scope, ScannedItem* item, engine::RequestMeter* meter,
                 const PageWatch& watch)
      : page_(page), scope_(scope), item_(item), meter_(meter), watch_(watch) {}

  Result<std::string> Scan(std::string after, bool until_end, const TakeItem& take) override;
  const ItemView* item() const override { return item_; }
  bool cut_short() const override { return cut_short_; }

 private:
  const PageContext& page_;
  const engine::KeyScope& scope_;
  ScannedItem* const item_;
  engine::RequestMeter* const meter_;
  const PageWatch& watch_;
  bool cut_short_ = false;
};

}  // namespace lapse::query::exec
