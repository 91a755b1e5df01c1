#include <optional>
#include <string>
#include <utility>

#include "api/cosmos/handlers.h"
#include "api/cosmos/items/feed_scope.h"
#include "api/cosmos/query/queried_item.h"
#include "api/cosmos/query/query_error.h"
#include "api/cosmos/query/query_headers.h"
#include "api/cosmos/query/query_request.h"
#include "api/cosmos/query/query_settings.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/paging.h"
#include "api/cosmos/wire/resource_ids.h"
#include "query/exec/query_page.h"
#include "query/values/json_text.h"

namespace lapse::api::cosmos {
void QueryItems(CallPtr call) {
  Result<engine::ContainerPtr> found = FindContainer(*call);
  if (!found.ok()) return call->Fail(OwnerMissing(found.status()));
  const engine::Container& container = **found;
  Result<QueryRequest> query = QueryRequest::Parse(call->request().body);
  if (!query.ok()) return call->Fail(query.status());
  Result<query::plan::Plan> plan = query->Plan();
  if (!plan.ok()) return call->Fail(QueryError(plan.status()));
  FeedScope scope;
  if (std::optional<ApiError> error = ReadFeedScope(call->request(), container, &scope)) return call->Fail(*error);
  std::string rid;
  AppendContainerRid(container.database(), container.id(), &rid);
  const std::string name = FeedName(rid + " query " + query->Fingerprint(), scope);
  Result<PageRequest> page = ReadPageRequest(call->request(), name);
  if (!page.ok()) return call->Fail(page.status());
  Result<std::string> session = FeedSession(call->request(), container, scope);
  if (!session.ok()) return call->Fail(session.status());

  query::exec::QueryOptions options;
  options.scope = scope;
  options.after = std::move(page->position);
  options.results_max = page->items_max;
  options.settings = QuerySettings(*call);
  options.use_index = call->context().use_indexes;
  options.tell_index_use = WantsIndexUse(call->request());
  options.is_abandoned = [&call] { return call->IsAbandoned(); };
  const ItemsOwner owner{container.database(), container.id()};
  const ItemNumbers numbers(owner);
  options.settings.documents = &numbers;
  FeedBody feed(rid, "Documents", &call->body());
  const size_t before = call->body().size();
  QueriedItem item(owner);
  const auto take = [&](query::Value result, engine::Place place) {
    return feed.Add(place, [&](std::string* json) { query::AppendJson(result, json); });
  };
  Result<query::exec::QueryPage> read =
      query::exec::ReadQueryPage(*plan, container, options, &item, take, &call->meter());
  if (!read.ok()) return call->Fail(QueryError(read.status()));
  const size_t bytes = call->body().size() - before;
  feed.End();
  call->AddSession(container, *session);
  AddPageHeaders(call.get(), name, feed.count(), read->resume_after);
  AddQueryHeaders(call.get(),
                  {read->scanned_items, read->scanned_bytes, feed.count(), bytes, std::move(read->index_use)});
  call->Send(200);
}

}  // namespace lapse::api::cosmos
