#include <optional>
#include <string>

#include "api/cosmos/handlers.h"
#include "api/cosmos/items/feed_scope.h"
#include "api/cosmos/query/queried_item.h"
#include "api/cosmos/query/query_request.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/paging.h"
#include "api/cosmos/wire/resource_ids.h"
#include "base/hex.h"
#include "query/exec/query_page.h"
#include "query/values/json_text.h"

namespace lapse::api::cosmos {
namespace {

// What one query may hold: the rows of a page and what their expressions make.
constexpr size_t kQueryMemoryMax = size_t{64} << 20;

constexpr int64_t kTicksPerMs = 10'000;

// Names the query in its continuations.
std::string QueryName(std::string_view container_rid, const FeedScope& scope, const QueryRequest& query) {
  std::string name(container_rid);
  name.append(" query ").append(query.Fingerprint());
  if (scope.exact) return name.append(" key ").append(HexUpper(scope.exact->epk + scope.exact->value));
  name.append(" range ").append(HexUpper(scope.range.min)).append("-").append(HexUpper(scope.range.max));
  return name.append(" ").append(HexUpper(scope.value_prefix));
}

// What a query may ask to be told. No index is used yet.
void AddQueryHeaders(Call* call, const query::exec::QueryPage& page, int results, size_t bytes) {
  const net::Request& request = call->request();
  if (HeaderIsTrue(request, "x-ms-documentdb-populatequerymetrics")) {
    call->response().AddHeader("x-ms-documentdb-query-metrics",
                               "retrievedDocumentCount=" + std::to_string(page.scanned_items) +
                                   ";retrievedDocumentSize=" + std::to_string(page.scanned_bytes) +
                                   ";outputDocumentCount=" + std::to_string(results) +
                                   ";outputDocumentSize=" + std::to_string(bytes));
  }
  if (HeaderIsTrue(request, "x-ms-cosmos-populateindexmetrics-v2")) {
    call->response().AddHeader("x-ms-cosmos-index-utilization",
                               "%7B%22UtilizedIndexes%22%3A%7B%22SingleIndexes%22%3A%5B%5D%2C%22CompositeIndexes%22%3A"
                               "%5B%5D%7D%2C%22PotentialIndexes%22%3A%7B%22SingleIndexes%22%3A%5B%5D%2C"
                               "%22CompositeIndexes%22%3A%5B%5D%7D%7D");
  }
}

// Errors of the text are JSON already; the service puts a word before them.
ApiError QueryError(const Status& status) {
  ApiError error = FromStatus(status);
  if (status.code() == Code::kInvalidArgument && status.message().starts_with('{')) {
    error.message = "Message: " + status.message();
  }
  return error;
}

}  // namespace

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
  const std::string name = QueryName(rid, scope, *query);
  Result<PageRequest> page = ReadPageRequest(call->request(), name);
  if (!page.ok()) return call->Fail(page.status());
  Result<std::string> session = FeedSession(call->request(), container, scope);
  if (!session.ok()) return call->Fail(session.status());

  query::exec::QueryOptions options;
  options.scope = scope;
  options.after = std::move(page->position);
  options.results_max = page->items_max;
  options.settings.memory_bytes_max = kQueryMemoryMax;
  options.settings.now_ticks = call->context().engine->clock().NowMs() * kTicksPerMs;
  options.settings.seed = static_cast<uint64_t>(call->context().steady->NowNs());
  const ItemNumbers numbers(container.database(), container.id());
  options.settings.documents = &numbers;
  FeedBody feed(rid, "Documents", &call->body());
  const size_t before = call->body().size();
  QueriedItem item(container);
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
  AddQueryHeaders(call.get(), *read, feed.count(), bytes);
  call->Send(200);
}

}  // namespace lapse::api::cosmos
