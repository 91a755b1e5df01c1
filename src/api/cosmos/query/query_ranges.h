// Where in the key space the items of a query can be.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/records/partition_key/partition_key.h"
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

// The same for a query, by its filter. The query must have been bound without an error. A query that reads no items is
// asked in one place; without paths of a partition key all are.
std::vector<QueryRange> RangesOfQuery(const query::sql::Query& query, std::span<const query::sql::Parameter> parameters,
                                      const engine::PartitionKeyDefinition& definition);

}  // namespace lapse::api::cosmos
