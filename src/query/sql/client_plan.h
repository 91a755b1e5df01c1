// How a client runs a query that spans several partitions: what it sends to each of them, and how it merges their
// responses. The query plan endpoint returns this, and SDKs expect exactly these rewritten queries.
//
//   ORDER BY    SELECT c._rid, [{"item": key}, ...] AS orderByItems, <selection> AS payload
//               ... WHERE (... AND <filter>)
//   aggregates  SELECT VALUE [{"item": ...}], or SELECT {"alias": {"item": ...}} AS payload
//   GROUP BY    SELECT [{"item": key}, ...] AS groupByItems, <selection> AS payload
//
// OFFSET m LIMIT n becomes OFFSET 0 LIMIT m + n. Queries with DISTINCT or groups lose it, and TOP, because the client
// applies them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "query/plan/plan.h"
#include "query/sql/syntax.h"

namespace lapse::query::sql {

// Replaced by the client with the position to resume from, or with `true`.
inline constexpr std::string_view kFilterHole = "{documentdb-formattableorderbyquery-filter}";

struct ClientPlan {
  enum class Distinct { kNone, kOrdered, kUnordered };

  struct SortKey {
    std::string expression;
    bool descending = false;
  };

  // A property of the results of a query with groups or aggregates.
  struct Output {
    std::string alias;
    std::string_view aggregate;  // the service's name for it; empty: a value from any row of the group
  };

  Distinct distinct = Distinct::kNone;
  std::optional<uint64_t> top;
  std::optional<uint64_t> offset;
  std::optional<uint64_t> limit;
  std::vector<SortKey> order_by;
  std::vector<std::string> group_by;
  std::vector<Output> outputs;               // not with SELECT VALUE
  std::vector<std::string_view> aggregates;  // of SELECT VALUE
  std::string rewritten;                     // empty: each partition gets the original query
  bool has_select_value = false;
  bool has_non_streaming_order_by = false;
  // If set, the client removes equal results and then counts the rest. The name of the count, which is empty with
  // SELECT VALUE.
  std::optional<std::string> distinct_count;
  // The features that a client needs, in the service's words.
  std::vector<std::string_view> features;
};

// `bound` is the bound tree. With `one_key` the filter leaves a single partition key, so there is little to merge.
// Fails: kInvalidArgument for a query whose partial results cannot be merged.
Result<ClientPlan> PlanForClients(const SyntaxTree& tree, const plan::Plan& bound, bool one_key);

}  // namespace lapse::query::sql
