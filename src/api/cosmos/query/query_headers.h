// The headers that report on a query.
#pragma once

#include <cstddef>
#include <cstdint>

#include "api/cosmos/wire/call.h"
#include "query/exec/index/index_use.h"

namespace lapse::api::cosmos {

// What a page read, and what it returned.
struct QueryCounts {
  uint64_t retrieved_items = 0;
  uint64_t retrieved_bytes = 0;
  int results = 0;
  size_t result_bytes = 0;
  uint64_t matching_items = 0;  // of the retrieved items
  query::exec::IndexUse index_use = {};
};

// Whether the request asks for index metrics.
bool WantsIndexUse(const net::Request& request);

// Adds query metrics and index metrics if the request asks for them.
void AddQueryHeaders(Call* call, const QueryCounts& counts);

}  // namespace lapse::api::cosmos
