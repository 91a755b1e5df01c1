// Rewrites a query into the one that a client sends to each partition. Trees are made in the arena and look at the
// query that they are made of.
#pragma once

#include <cstdint>
#include <string_view>

#include "query/sql/syntax.h"
#include "query/tree_arena.h"

namespace lapse::query::sql {

// The rows carry what they are sorted by, and WHERE has the hole for the client's filter. The first source has a name.
Query CarrySortKeys(const Query& query, TreeArena* arena);

// The rows carry the keys of their groups, and of each aggregate what it takes to merge several.
Query CarryGroups(const Query& query, TreeArena* arena);

// The first `count` results.
Query FirstResults(const Query& query, uint64_t count, TreeArena* arena);

// All results: without TOP and OFFSET LIMIT.
Query AllResults(const Query& query);

// The service's name of the aggregate that is called.
std::string_view AggregateKindOf(const Expression& call);

}  // namespace lapse::query::sql
