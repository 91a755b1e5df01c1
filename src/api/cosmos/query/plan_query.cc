#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "api/cosmos/partition_key/partition_key_values.h"
#include "api/cosmos/query/handlers.h"
#include "api/cosmos/query/query_error.h"
#include "api/cosmos/query/query_plan_json.h"
#include "api/cosmos/query/query_ranges.h"
#include "api/cosmos/query/query_request.h"
#include "api/cosmos/wire/lookup.h"
#include "query/sql/client_plan.h"
#include "query/sql/parse.h"

namespace lapse::api::cosmos {
namespace {

// Without a container everything is in one place.
engine::PartitionKeyDefinition KeyOf(const engine::ContainerPtr& container) {
  return container == nullptr ? engine::PartitionKeyDefinition() : container->partition_key();
}

Result<std::string> MakePlan(const QueryRequest& request, const engine::PartitionKeyDefinition& definition,
                             std::string_view features) {
  LAPSE_ASSIGN_OR_RETURN(const query::sql::SyntaxTree tree, query::sql::Parse(request.text()));
  const std::vector<query::sql::Parameter> parameters = request.Parameters();
  LAPSE_ASSIGN_OR_RETURN(const query::plan::Plan bound, query::sql::Bind(tree, parameters));
  const std::vector<QueryRange> ranges = RangesOfQuery(tree.query(), parameters, definition);
  const bool one_key = ranges.size() == 1 && ranges[0].IsPoint();
  LAPSE_ASSIGN_OR_RETURN(const query::sql::ClientPlan plan, query::sql::PlanForClients(tree, bound, one_key));
  LAPSE_RETURN_IF_ERROR(CheckFeatures(plan, features));
  std::string json;
  AppendQueryPlan(plan, ranges, &json);
  return json;
}

// A longer text is planned as a query, because the thread of a connection serves many others.
constexpr size_t kPlannedAtOnceBytes = 16 * 1024;

void SendPlan(CallPtr call) {
  engine::ContainerPtr container;
  if (call->route().kind() == RouteKind::kItems) {
    Result<engine::ContainerPtr> found = FindContainer(*call);
    if (!found.ok()) return call->Fail(OwnerMissing(found.status()));
    container = *std::move(found);
  }
  Result<QueryRequest> request = QueryRequest::Parse(call->request().body);
  if (!request.ok()) return call->Fail(request.status());
  Result<std::string> plan =
      MakePlan(*request, KeyOf(container), call->request().Header("x-ms-cosmos-supported-query-features"));
  if (!plan.ok()) return call->Fail(PlanError(plan.status()));
  call->body() = *std::move(plan);
  call->Send(200, engine::kMetadataMilliRu);
}

}  // namespace

void PlanQuery(CallPtr call) {
  if (call->request().body.size() > kPlannedAtOnceBytes) return RunQuery(std::move(call), &SendPlan);
  SendPlan(std::move(call));
}

}  // namespace lapse::api::cosmos
