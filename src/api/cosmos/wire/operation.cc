#include "api/cosmos/wire/operation.h"

#include <string>

#include "api/cosmos/wire/request_form.h"

namespace lapse::api::cosmos {
namespace {

constexpr std::array<std::string_view, kOperations> kOperationNames = {"create", "read",        "replace", "upsert",
                                                                       "delete", "patch",       "batch",   "feed",
                                                                       "query",  "change_feed", "catalog", "other"};

Operation OnItems(Form form) {
  switch (form) {
    case Form::kRead: return Operation::kRead;
    case Form::kList: return Operation::kFeed;
    case Form::kChangeFeed: return Operation::kChangeFeed;
    case Form::kQuery:
    case Form::kPlan: return Operation::kQuery;
    case Form::kCreate: return Operation::kCreate;
    case Form::kUpsert: return Operation::kUpsert;
    case Form::kReplace: return Operation::kReplace;
    case Form::kDelete: return Operation::kDelete;
    case Form::kPatch: return Operation::kPatch;
    case Form::kBatch: return Operation::kBatch;
    case Form::kNone:
    case Form::kExecute: break;
  }
  return Operation::kOther;
}

}  // namespace

std::string_view OperationName(Operation operation) {
  return kOperationNames[static_cast<size_t>(operation)];
}

Operation OperationOf(RouteKind route, const net::Request& request) {
  switch (route) {
    case RouteKind::kItems:
    case RouteKind::kItem: return OnItems(FormOf(route, request));
    case RouteKind::kUnknown:
    case RouteKind::kScripts:
    case RouteKind::kScript:
    case RouteKind::kKeyDeletion: return Operation::kOther;
    case RouteKind::kAccount:
    case RouteKind::kDatabases:
    case RouteKind::kDatabase:
    case RouteKind::kContainers:
    case RouteKind::kContainer:
    case RouteKind::kPartitionKeyRanges:
    case RouteKind::kPartitionKeyRange:
    case RouteKind::kConflicts:
    case RouteKind::kConflict:
    case RouteKind::kUsers:
    case RouteKind::kUser:
    case RouteKind::kPermissions:
    case RouteKind::kPermission:
    case RouteKind::kEncryptionKeys:
    case RouteKind::kEncryptionKey:
    case RouteKind::kOffers:
    case RouteKind::kOffer: break;
  }
  return Operation::kCatalog;
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
