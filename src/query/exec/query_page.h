// One page of a query.
#pragma once

#include "base/status.h"
#include "engine/catalog/containers/container.h"
#include "engine/catalog/throughput/request_meter.h"
#include "query/exec/items/item_source.h"
#include "query/exec/paging/page_options.h"
#include "query/exec/paging/result_sink.h"
#include "query/exec/rules/page_rules.h"
#include "query/plan/plan.h"

namespace lapse::query::exec {

// Threads: one. May block. Fails: kInvalidArgument for a continuation of another query; kTooLarge if the page needs
// more memory than a query may have; kUnavailable if other queries hold that memory, or if the page is abandoned.
Result<QueryPage> ReadQueryPage(const plan::Plan& plan, ItemSource* source, const PageOptions& options,
                                const TakeResult& take);

// Reads a page over a container: the items that live at one moment, from one snapshot of each partition. The meter
// admits the page and is charged; null: neither. A page that takes too long ends without results, and the next request
// resumes it.
Result<QueryPage> ReadQueryPage(const plan::Plan& plan, const engine::Container& container, const QueryOptions& options,
                                const PageRules& rules, const TakeResult& take, engine::RequestMeter* meter);

}  // namespace lapse::query::exec
