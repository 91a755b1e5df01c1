// The parts of the key space that can hold the items of a query.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/records/partition_key/partition_key.h"
#include "query/sql/key_filter.h"

namespace lapse::api::cosmos {

// Effective keys, in bytes. A point has min == max and includes both. Any other range includes only min.
struct QueryRange {
  std::string min;
  std::string max;

  bool IsPoint() const { return min == max; }
  bool operator==(const QueryRange&) const = default;
};

// Ascending, none touching another, at least one. If no item can pass, the first partition is queried, so that every
// query has a response.
std::vector<QueryRange> RangesOfKeys(std::span<const query::sql::FilteredKey> keys,
                                     const engine::PartitionKeyDefinition& definition);

// The same for a query, by its filter. The query must have been bound without an error. A query that reads no items is
// sent to one place. Without partition key paths it is sent to all.
std::vector<QueryRange> RangesOfQuery(const query::sql::Query& query, std::span<const query::sql::Parameter> parameters,
                                      const engine::PartitionKeyDefinition& definition);

}  // namespace lapse::api::cosmos
