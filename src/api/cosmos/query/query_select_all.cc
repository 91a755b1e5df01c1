#include "api/cosmos/handlers.h"
#include "api/cosmos/query/select_all.h"
#include "api/cosmos/wire/lookup.h"

namespace lapse::api::cosmos {
namespace {

// One range over everything and nothing to rewrite: the client sends the query as it is.
constexpr std::string_view kPlan =
    R"({"partitionedQueryExecutionInfoVersion":2,"queryInfo":{"distinctType":"None","top":null,"offset":null,)"
    R"("limit":null,"orderBy":[],"orderByExpressions":[],"groupByExpressions":[],"groupByAliases":[],"aggregates":[],)"
    R"("groupByAliasToAggregateType":{},"rewrittenQuery":"","hasSelectValue":false,"dCountInfo":null,)"
    R"("hasNonStreamingOrderBy":false},"queryRanges":[{"min":"","max":"FF","isMinInclusive":true,)"
    R"("isMaxInclusive":false}]})";

void IfSelectAll(CallPtr call, void (*answer)(CallPtr)) {
  if (Status status = CheckSelectAllBody(call->request().body); !status.ok()) return call->Fail(status);
  answer(std::move(call));
}

}  // namespace

void QueryDatabases(CallPtr call) {
  IfSelectAll(std::move(call), ListDatabases);
}
void QueryContainers(CallPtr call) {
  IfSelectAll(std::move(call), ListContainers);
}

void PlanQuery(CallPtr call) {
  if (call->route().kind() == RouteKind::kItems) {
    const Status found = FindContainer(*call).status();
    if (!found.ok()) return call->Fail(OwnerMissing(found));
  }
  IfSelectAll(std::move(call), [](CallPtr planned) {
    planned->body() = kPlan;
    planned->Send(200, engine::kMetadataMilliRu);
  });
}

}  // namespace lapse::api::cosmos
