#include "api/cosmos/wire/operation.h"

#include <string>

#include "api/cosmos/wire/call.h"

namespace lapse::api::cosmos {
namespace {

constexpr std::array<std::string_view, kOperations> kNames = {"create", "read",        "replace", "upsert",
                                                              "delete", "patch",       "batch",   "feed",
                                                              "query",  "change_feed", "catalog", "other"};

Operation OnItems(const net::Request& request) {
  if (request.method == "GET") return request.HasHeader("a-im") ? Operation::kChangeFeed : Operation::kFeed;
  if (request.method != "POST") return Operation::kOther;
  if (HeaderIsTrue(request, "x-ms-cosmos-is-batch-request")) return Operation::kBatch;
  if (IsQuery(request) || IsQueryPlan(request)) return Operation::kQuery;
  return HeaderIsTrue(request, "x-ms-documentdb-is-upsert") ? Operation::kUpsert : Operation::kCreate;
}

Operation OnItem(std::string_view method) {
  if (method == "GET") return Operation::kRead;
  if (method == "PUT") return Operation::kReplace;
  if (method == "PATCH") return Operation::kPatch;
  return method == "DELETE" ? Operation::kDelete : Operation::kOther;
}

}  // namespace

std::string_view OperationName(Operation operation) {
  return kNames[static_cast<size_t>(operation)];
}

Operation OperationOf(RouteKind route, const net::Request& request) {
  switch (route) {
    case RouteKind::kItems: return OnItems(request);
    case RouteKind::kItem: return OnItem(request.method);
    case RouteKind::kUnknown:
    case RouteKind::kUnsupported: return Operation::kOther;
    case RouteKind::kAccount:
    case RouteKind::kDatabases:
    case RouteKind::kDatabase:
    case RouteKind::kContainers:
    case RouteKind::kContainer:
    case RouteKind::kPartitionKeyRanges:
    case RouteKind::kOffers:
    case RouteKind::kOffer: break;
  }
  return Operation::kCatalog;
}

bool OnlyReads(Operation operation, const net::Request& request) {
  switch (operation) {
    case Operation::kRead:
    case Operation::kFeed:
    case Operation::kQuery:
    case Operation::kChangeFeed: return true;
    case Operation::kCreate:
    case Operation::kReplace:
    case Operation::kUpsert:
    case Operation::kDelete:
    case Operation::kPatch:
    case Operation::kBatch: return false;
    case Operation::kCatalog:
    case Operation::kOther: break;
  }
  return request.method == "GET" || (request.method == "POST" && (IsQuery(request) || IsQueryPlan(request)));
}

bool IsQueryPlan(const net::Request& request) {
  return HeaderIsTrue(request, "x-ms-cosmos-is-query-plan-request");
}

bool IsQuery(const net::Request& request) {
  return HeaderIsTrue(request, "x-ms-documentdb-isquery") ||
         request.Header("content-type").starts_with("application/query+json");
}

OperationTimes MakeOperationTimes(MetricsRegistry* metrics) {
  OperationTimes times{};
  if (metrics == nullptr) return times;
  for (size_t i = 0; i < times.size(); ++i) {
    times[i] = &metrics->AddHistogram("lapse_cosmos_request_seconds",
                                      "Time from a request that was read to its answer, by operation.",
                                      MetricLabel("operation", OperationName(static_cast<Operation>(i))));
  }
  return times;
}

}  // namespace lapse::api::cosmos
