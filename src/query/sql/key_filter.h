// What a filter requires of the partition key properties, so that a query is sent only to partitions that have its
// items.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "doc/path.h"
#include "query/sql/bind.h"
#include "query/sql/syntax.h"
#include "query/values/value.h"

namespace lapse::query::sql {

// The most keys that are told apart. A filter with more yields no restriction.
inline constexpr size_t kFilteredKeysMax = 4096;

// One value for each path. Nullopt: the filter does not restrict the path. Never an array, an object or undefined.
using FilteredKey = std::vector<std::optional<Value>>;

// Every item that passes the query's filter has one of these keys. An empty list means that no item passes. The values
// point into the tree and the parameters. The query must have been bound without an error.
std::vector<FilteredKey> KeysOfFilter(const Query& query, std::span<const Parameter> parameters,
                                      std::span<const doc::Path> paths);

}  // namespace lapse::query::sql
