// How a client runs a query that spans several partitions: what it asks of each of them, and how it merges what they
// answer. The query plan endpoint sends this; SDKs expect exactly these rewritten queries.
//
//   ORDER BY    SELECT c._rid, [{"item": key}, ...] AS orderByItems, <selection> AS payload ... WHERE (... AND
//   <filter>) aggregates  SELECT VALUE [{"item": ...}], or SELECT {"alias": {"item": ...}} AS payload GROUP BY SELECT
//   [{"item": key}, ...] AS groupByItems, <selection> AS payload OFFSET m LIMIT n becomes OFFSET 0 LIMIT m + n;
//   DISTINCT and groups lose it, and TOP: the client applies them
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

// Where a client puts the place from which it goes on, or `true`.
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
    std::string_view aggregate;  // the service's name for it; empty: the value is that of any of the group's rows
  };

  Distinct distinct = Distinct::kNone;
  std::optional<uint64_t> top;
  std::optional<uint64_t> offset;
  std::optional<uint64_t> limit;
  std::vector<SortKey> order_by;
  std::vector<std::string> group_by;
  std::vector<Output> outputs;               // not with SELECT VALUE
  std::vector<std::string_view> aggregates;  // of SELECT VALUE
  std::string rewritten;                     // empty: each partition gets the query as it is
  bool has_select_value = false;
  bool has_non_streaming_order_by = false;
  // The results are counted after the client removed equal ones; the name of the count, empty with SELECT VALUE.
  std::optional<std::string> distinct_count;
  // What a client must be able to do, in the service's words.
  std::vector<std::string_view> features;
};

// `bound` is the tree, bound. With `one_key` the filter leaves a single partition key, so that there is little to
// merge. Fails: kInvalidArgument for a query whose parts cannot be merged.
Result<ClientPlan> PlanForClients(const SyntaxTree& tree, const plan::Plan& bound, bool one_key);

}  // namespace lapse::query::sql
