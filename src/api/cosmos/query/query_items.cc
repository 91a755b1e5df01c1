#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/cosmos/partition_key/feed_scope.h"
#include "api/cosmos/partition_key/range_headers.h"
#include "api/cosmos/query/handlers.h"
#include "api/cosmos/query/page_rules.h"
#include "api/cosmos/query/queried_item.h"
#include "api/cosmos/query/query_error.h"
#include "api/cosmos/query/query_headers.h"
#include "api/cosmos/query/query_ranges.h"
#include "api/cosmos/query/query_request.h"
#include "api/cosmos/query/query_settings.h"
#include "api/cosmos/query/resume_filter.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/paging.h"
#include "api/cosmos/wire/request_form.h"
#include "api/cosmos/wire/resource_ids.h"
#include "query/exec/query_page.h"
#include "query/sql/known_texts.h"
#include "query/values/json_text.h"

namespace lapse::api::cosmos {
namespace {

// Whether the client says which part to query, or that it wants all partitions.
bool NamesItsScope(const net::Request& request) {
  if (!request.Header("x-ms-documentdb-partitionkey").empty()) return true;
  for (std::string_view name : kRangeHeaders) {
    if (!request.Header(name).empty()) return true;
  }
  return HeaderIsTrue(request, "x-ms-documentdb-query-enablecrosspartition");
}

// Whether the filter leaves at most one partition key. The text must have been planned without an error.
bool AsksOneKey(const QueryRequest& query, query::sql::KnownTexts* texts,
                const engine::PartitionKeyDefinition& definition) {
  const auto tree = texts->Parse(query.text());
  if (!tree.ok()) return false;
  const std::vector<QueryRange> ranges = RangesOfQuery((*tree)->query(), query.Parameters(), definition);
  return ranges.size() == 1 && ranges[0].IsPoint();
}

}  // namespace

void QueryItems(CallPtr call) {
  Result<engine::ContainerPtr> found = FindContainer(*call);
  if (!found.ok()) return call->Fail(OwnerMissing(found.status()));
  const engine::Container& container = **found;
  Result<QueryRequest> query = QueryRequest::Parse(call->request().body);
  if (!query.ok()) return call->Fail(query.status());
  query::sql::KnownTexts* const texts = call->context().query_texts.get();
  Result<query::plan::Plan> plan = query->Plan(texts);
  if (!plan.ok()) return call->Fail(QueryError(plan.status()));
  if (!NamesItsScope(call->request()) && !container.partition_key().paths.empty() &&
      !AsksOneKey(*query, texts, container.partition_key())) {
    return call->Fail(CrossPartitionDisabled());
  }
  FeedScope scope;
  if (std::optional<ApiError> error = ReadFeedScope(call->request(), container, &scope)) return call->Fail(*error);
  std::string rid;
  AppendContainerRid(container.database(), container.id(), &rid);
  // Computed on demand: it needs a hash of the query, and most queries have one page.
  const auto name = [&] { return FeedName(rid + " query " + query->Fingerprint(), scope); };
  const bool goes_on = call->request().HasHeader("x-ms-continuation");
  Result<PageRequest> page = ReadPageRequest(call->request(), goes_on ? name() : std::string());
  if (!page.ok()) return call->Fail(page.status());
  Result<std::string> session = FeedSession(call->request(), container, scope);
  if (!session.ok()) return call->Fail(session.status());

  const ItemsOwner owner{container.database(), container.id()};
  Result<std::string> after = BeginOf(query->resume_filter(), owner, *plan, std::move(page->position));
  if (!after.ok()) return call->Fail(after.status());

  query::exec::QueryOptions options;
  options.scope = scope;
  options.after = *std::move(after);
  options.results_max = page->items_max;
  options.settings = QuerySettings(*call);
  options.thresholds = call->context().query_thresholds;
  options.scan_states = call->context().scan_states.get();
  options.use_index = call->context().use_indexes;
  options.tell_index_use = WantsIndexUse(call->request());
  options.is_abandoned = [&call] { return call->IsAbandoned(); };
  options.let_others = [&call] { call->LetOthers(); };
  const ItemNumbers numbers(owner);
  options.settings.documents = &numbers;
  FeedBody feed(rid, "Documents", &call->body());
  const size_t before = call->body().size();
  options.helpers = call->helpers();
  const auto take = [&](query::Value result, engine::Place place) {
    return feed.Add(place, [&](std::string* json) { query::AppendJson(result, json); });
  };
  Result<query::exec::QueryPage> read =
      query::exec::ReadQueryPage(*plan, container, options, ItemPageRules(owner), take, &call->meter());
  if (!read.ok()) return call->Fail(QueryError(read.status()));
  if (feed.has_huge_result()) return call->Fail(HugeResult());
  const size_t bytes = call->body().size() - before;
  feed.End();
  call->AddSession(container, *session);
  AddPageHeaders(call.get(), read->resume_after.empty() ? std::string() : name(), feed.count(), read->resume_after);
  AddQueryHeaders(call.get(), {read->scanned_items, read->scanned_bytes, feed.count(), bytes, read->matching_items,
                               std::move(read->index_use)});
  call->Send(200);
}

}  // namespace lapse::api::cosmos
