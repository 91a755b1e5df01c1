// One page of a query over a container: what lives by one moment, at one snapshot of each partition.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "engine/catalog/container.h"
#include "engine/items/item.h"
#include "engine/partition_key/partition_key.h"
#include "engine/request_units/meter.h"
#include "query/exec/item_view.h"
#include "query/exec/page_shape.h"
#include "query/exec/result_sink.h"
#include "query/functions/eval_context.h"
#include "query/plan/plan.h"

namespace lapse::query::exec {

struct QueryOptions {
  engine::KeyScope scope;
  std::string after;  // from an earlier page of the same query over the same scope; empty: from the start
  int results_max = 100;
  EvalSettings settings;
};

// The item that the scan has come to, shown as an API shows it.
class ScannedItem : public ItemView {
 public:
  // Valid until the next call.
  virtual void Set(const engine::Item& item) = 0;
};

struct QueryPage {
  std::string resume_after;  // empty when there is nothing more
  uint64_t scanned_items = 0;
  uint64_t scanned_bytes = 0;
};

// Threads: one. May block. Fails: kInvalidArgument for a position that is not one of this query; kTooLarge when it
// needs more memory than it may have.
Result<QueryPage> ReadQueryPage(const plan::Plan& plan, const engine::Container& container, const QueryOptions& options,
                                ScannedItem* item, const TakeResult& take, engine::Meter* meter);

}  // namespace lapse::query::exec
