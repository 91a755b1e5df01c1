// The label under which a request's time is recorded. Its form (request_form.h) says what it does and who may do it.
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
  kBatch,  // transactional or bulk; the body says what it does
  kFeed,
  kQuery,
  kChangeFeed,
  kCatalog,  // the account, databases, containers, their ranges, offers, users and permissions
  kOther,    // unsupported or unknown requests
};
constexpr size_t kOperations = 12;

// As a label: "create", "change_feed".
std::string_view OperationName(Operation operation);

Operation OperationOf(RouteKind route, const net::Request& request);

// By operation; null: not recorded.
using OperationTimes = std::array<Histogram*, kOperations>;
OperationTimes MakeOperationTimes(MetricsRegistry* metrics);

}  // namespace lapse::api::cosmos
