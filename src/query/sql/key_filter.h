// What a filter says about the properties that partition the items, so that a query is sent only where its items are.
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

// No more keys are told apart; a filter with more says nothing.
inline constexpr size_t kFilteredKeysMax = 4096;

// One for each path. None: the filter says nothing about it. Never an array, an object or undefined.
using FilteredKey = std::vector<std::optional<Value>>;

// Every item that passes the filter of the query has one of these keys. No keys: none passes. The values look at the
// tree and at the parameters. The query must have been bound without an error.
std::vector<FilteredKey> KeysOfFilter(const Query& query, std::span<const Parameter> parameters,
                                      std::span<const doc::Path> paths);

}  // namespace lapse::query::sql
