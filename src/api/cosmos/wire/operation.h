// Under which name the time of a request is counted. What it does, and who may ask it, is in its form (request_form.h).
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
  kCatalog,  // the account, databases, containers, their ranges, offers, users and permissions
  kOther,    // what is not built, and what is no part of the API
};
constexpr size_t kOperations = 12;

// As a label: "create", "change_feed".
std::string_view OperationName(Operation operation);

Operation OperationOf(RouteKind route, const net::Request& request);

// By operation; null: not counted.
using OperationTimes = std::array<Histogram*, kOperations>;
OperationTimes MakeOperationTimes(MetricsRegistry* metrics);

}  // namespace lapse::api::cosmos
