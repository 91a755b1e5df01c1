// What a request asks for. It is decided here alone: who may ask it, who serves it, and under which name its time is
// counted follow from this.
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
  kPatch,
  kBatch,  // transactional or bulk; what it does is in its body
  kFeed,
  kQuery,
  kChangeFeed,
  kCatalog,  // the account, databases, containers, their ranges and offers
  kOther,    // what is not built, and what is no part of the API
};
constexpr size_t kOperations = 12;

// As a label: "create", "change_feed".
std::string_view OperationName(Operation operation);

Operation OperationOf(RouteKind route, const net::Request& request);

// Whether it can change nothing, so that a read-only key is good for it.
bool OnlyReads(Operation operation, const net::Request& request);

// A query, or the question how one would be run.
bool IsQuery(const net::Request& request);
bool IsQueryPlan(const net::Request& request);

// By operation; null: not counted.
using OperationTimes = std::array<Histogram*, kOperations>;
OperationTimes MakeOperationTimes(MetricsRegistry* metrics);

}  // namespace lapse::api::cosmos
