#include "api/cosmos/query/query_resources.h"

#include <utility>

#include "api/cosmos/query/query_error.h"
#include "api/cosmos/query/query_request.h"
#include "api/cosmos/query/query_settings.h"
#include "api/cosmos/wire/paging.h"
#include "api/cosmos/wire/request_body.h"
#include "engine/records/prices/prices.h"
#include "query/exec/query_page.h"
#include "query/functions/date_time.h"
#include "query/values/json_text.h"

namespace lapse::api::cosmos {

void SendQuery(Call* call, const QueriedFeed& feed) {
  Result<QueryRequest> query = QueryRequest::Parse(call->request().body);
  if (!query.ok()) return call->Fail(query.status());
  Result<query::plan::Plan> plan = query->Plan(call->context().query_texts.get());
  if (!plan.ok()) return call->Fail(QueryError(plan.status()));
  const std::string name = feed.name + " query " + query->Fingerprint();
  Result<PageRequest> page = ReadPageRequest(call->request(), name);
  if (!page.ok()) return call->Fail(page.status());

  query::exec::PageOptions options;
  options.after = std::move(page->position);
  options.results_max = page->items_max;
  options.settings = QuerySettings(*call);
  options.settings.now_ticks = call->context().engine->clock().NowMs() * query::kTicksPerMs;
  options.is_abandoned = [call] { return call->IsAbandoned(); };
  options.let_others = [call] { call->LetOthers(); };
  FeedBody body(feed.rid, feed.member, &call->body());
  const auto take = [&](query::Value result, engine::Place place) {
    return body.Add(place, [&](std::string* json) { query::AppendJson(result, json); });
  };
  query::exec::ListedItems resources(feed.next);
  Result<query::exec::QueryPage> read = query::exec::ReadQueryPage(*plan, &resources, options, take);
  if (!read.ok()) return call->Fail(QueryError(read.status()));
  if (body.has_huge_result()) return call->Fail(HugeResult());
  body.End();
  AddPageHeaders(call, name, body.count(), read->resume_after);
  call->Send(200, engine::kMetadataMilliRu);
}

Result<query::exec::ListedItem> Listed(std::string_view key, std::string_view json) {
  LAPSE_ASSIGN_OR_RETURN(std::string document, ParseBody(json));
  return query::exec::ListedItem{std::string(key), std::move(document)};
}

}  // namespace lapse::api::cosmos
