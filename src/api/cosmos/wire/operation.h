// What a request asks for, in the few words by which its time is counted.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "api/cosmos/wire/routes.h"
#include "base/histogram.h"
#include "base/metrics.h"
#include "net/http.h"

namespace lapse::api::cosmos {

enum class Operation {
  kCreate,
  kRead,
  kReplace,
  kUpsert,
  kDelete,
  kFeed,
  kQuery,
  kChangeFeed,
  kCatalog,  // the account, databases, containers, their ranges and offers
  kOther,    // what is not built, and what is no part of the API
};
constexpr size_t kOperations = 10;

// As a label: "create", "change_feed".
std::string_view OperationName(Operation operation);

Operation OperationOf(RouteKind route, const net::Request& request);

// A query, or the question how one would be run.
bool IsQuery(const net::Request& request);
bool IsQueryPlan(const net::Request& request);

// By operation; null: not counted.
using OperationTimes = std::array<Histogram*, kOperations>;
OperationTimes MakeOperationTimes(MetricsRegistry* metrics);

}  // namespace lapse::api::cosmos
