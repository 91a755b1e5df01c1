// One page of a query.
#pragma once

#include "base/status.h"
#include "engine/catalog/containers/container.h"
#include "engine/catalog/throughput/meter.h"
#include "query/exec/items/container_items.h"
#include "query/exec/items/item_source.h"
#include "query/exec/paging/page_options.h"
#include "query/exec/paging/result_sink.h"
#include "query/plan/plan.h"

namespace lapse::query::exec {

// Threads: one. May block. Fails: kInvalidArgument for a position that is not one of this query; kTooLarge when it
// needs more memory than it may have; kUnavailable when it is others that have it, and when it is abandoned.
Result<QueryPage> ReadQueryPage(const plan::Plan& plan, ItemSource* source, const PageOptions& options,
                                const TakeResult& take);

// Over a container: what lives by one moment, at one snapshot of each partition. Asks the meter, and charges it. A page
// that takes too long ends without results, and the next one goes on with it.
Result<QueryPage> ReadQueryPage(const plan::Plan& plan, const engine::Container& container, const QueryOptions& options,
                                ScannedItem* item, const TakeResult& take, engine::Meter* meter);

}  // namespace lapse::query::exec
