// Rewrites a query into the one that a client sends to each partition. New trees live in the arena and point into the
// original query.
#pragma once

#include <cstdint>
#include <string_view>

#include "query/sql/syntax.h"
#include "query/tree_arena.h"

namespace lapse::query::sql {

// The rows carry their sort keys, and WHERE contains the hole for the client's filter. The first source has a name.
Query CarrySortKeys(const Query& query, TreeArena* arena);

// The rows carry the keys of their groups, and for each aggregate what it takes to merge several of them.
Query CarryGroups(const Query& query, TreeArena* arena);

// Returns a query for the first `count` results.
Query FirstResults(const Query& query, uint64_t count, TreeArena* arena);

// Returns a query for all results: without TOP and OFFSET LIMIT.
Query AllResults(const Query& query);

// Returns the service's name for the aggregate in the call.
std::string_view AggregateKindOf(const Expression& call);

}  // namespace lapse::query::sql
