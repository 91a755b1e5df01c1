#include "api/cosmos/wire/request_form.h"

#include <array>

#include "api/invalid.h"
#include "base/ascii.h"

namespace lapse::api::cosmos {
namespace {

constexpr std::array<std::string_view, kForms> kFormNames = {"none",   "read",   "list",   "change feed", "query",
                                                             "plan",   "create", "upsert", "replace",     "patch",
                                                             "delete", "batch",  "execute"};

// Whether the route names several resources.
bool IsFeed(RouteKind route) {
  switch (route) {
    case RouteKind::kDatabases:
    case RouteKind::kContainers:
    case RouteKind::kPartitionKeyRanges:
    case RouteKind::kItems:
    case RouteKind::kScripts:
    case RouteKind::kConflicts:
    case RouteKind::kUsers:
    case RouteKind::kPermissions:
    case RouteKind::kEncryptionKeys:
    case RouteKind::kOffers: return true;
    case RouteKind::kUnknown:
    case RouteKind::kAccount:
    case RouteKind::kDatabase:
    case RouteKind::kContainer:
    case RouteKind::kPartitionKeyRange:
    case RouteKind::kItem:
    case RouteKind::kScript:
    case RouteKind::kConflict:
    case RouteKind::kKeyDeletion:
    case RouteKind::kUser:
    case RouteKind::kPermission:
    case RouteKind::kEncryptionKey:
    case RouteKind::kOffer: break;
  }
  return false;
}

bool HasUpsert(RouteKind route) {
  return route == RouteKind::kItems || route == RouteKind::kUsers || route == RouteKind::kPermissions ||
         route == RouteKind::kScripts;
}

bool IsQuery(const net::Request& request) {
  return HeaderIsTrue(request, "x-ms-documentdb-isquery") ||
         request.Header("content-type").starts_with("application/query+json");
}

Form PostToFeed(RouteKind route, const net::Request& request) {
  if (route == RouteKind::kItems && HeaderIsTrue(request, "x-ms-cosmos-is-batch-request")) return Form::kBatch;
  if (HeaderIsTrue(request, "x-ms-cosmos-is-query-plan-request")) return Form::kPlan;
  if (IsQuery(request)) return Form::kQuery;
  if (HasUpsert(route) && HeaderIsTrue(request, "x-ms-documentdb-is-upsert")) return Form::kUpsert;
  return Form::kCreate;
}

Form OnFeed(RouteKind route, const net::Request& request) {
  if (request.method == "GET") {
    return route == RouteKind::kItems && !request.Header("a-im").empty() ? Form::kChangeFeed : Form::kList;
  }
  return request.method == "POST" ? PostToFeed(route, request) : Form::kNone;
}

}  // namespace

std::string_view FormName(Form form) {
  return kFormNames[static_cast<size_t>(form)];
}

Form FormOf(RouteKind route, const net::Request& request) {
  if (IsFeed(route)) return OnFeed(route, request);
  const std::string_view method = request.method;
  if (method == "GET") return Form::kRead;
  if (method == "PUT") return Form::kReplace;
  if (method == "PATCH") return Form::kPatch;
  if (method == "DELETE") return Form::kDelete;
  if (method == "POST" && (route == RouteKind::kScript || route == RouteKind::kKeyDeletion)) return Form::kExecute;
  return Form::kNone;
}

bool HeaderIsTrue(const net::Request& request, std::string_view name) {
  return EqualsIgnoreCase(request.Header(name), "true");
}

Result<bool> YesOrNo(const net::Request& request, std::string_view header) {
  const std::string_view value = request.Header(header);
  const bool yes = EqualsIgnoreCase(value, "true");
  if (!yes && !value.empty() && !EqualsIgnoreCase(value, "false")) {
    return Invalid("The header " + std::string(header) + " must be true or false.");
  }
  return yes;
}

}  // namespace lapse::api::cosmos
