// Where in the key space the items of a query can be.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/partition_key/partition_key.h"
#include "query/sql/key_filter.h"

namespace lapse::api::cosmos {

// Effective keys, in bytes. A point has min == max and includes both; all others include min alone.
struct QueryRange {
  std::string min;
  std::string max;

  bool IsPoint() const { return min == max; }
  bool operator==(const QueryRange&) const = default;
};

// In order, none touching another, at least one. When no item can pass, the first partition is asked: every query has
// an answer.
std::vector<QueryRange> RangesOfKeys(std::span<const query::sql::FilteredKey> keys,
                                     const engine::PartitionKeyDefinition& definition);

// Everything.
std::vector<QueryRange> WholeRange();
// A place in the first partition, for a query that reads no items.
std::vector<QueryRange> FirstPlace();

}  // namespace lapse::api::cosmos
