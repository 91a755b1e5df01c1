#include <optional>
#include <string>

#include "api/cosmos/handlers.h"
#include "api/cosmos/items/feed_scope.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/paging.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/system_properties.h"
#include "base/base64.h"
#include "base/bytes.h"
#include "engine/commit/partition.h"

namespace lapse::api::cosmos {
namespace {

// Names the feed in its continuations: the container and what of it is read.
std::string FeedName(std::string_view container_rid, const FeedScope& scope) {
  std::string name(container_rid);
  if (scope.exact) return name.append(" key ").append(HexUpper(scope.exact->epk + scope.exact->value));
  name.append(" range ").append(HexUpper(scope.range.min)).append("-").append(HexUpper(scope.range.max));
  return name.append(" ").append(HexUpper(scope.value_prefix));
}

// What a query may ask to be told. There is no index to use, and all that is read is given out.
void AddQueryHeaders(Call* call, int items, size_t bytes) {
  const net::Request& request = call->request();
  if (HeaderIsTrue(request, "x-ms-documentdb-populatequerymetrics")) {
    std::string count = std::to_string(items);
    std::string size = std::to_string(bytes);
    call->response().AddHeader("x-ms-documentdb-query-metrics",
                               "retrievedDocumentCount=" + count + ";retrievedDocumentSize=" + size +
                                   ";outputDocumentCount=" + count + ";outputDocumentSize=" + size);
  }
  if (HeaderIsTrue(request, "x-ms-cosmos-populateindexmetrics-v2")) {
    call->response().AddHeader("x-ms-cosmos-index-utilization",
                               "%7B%22UtilizedIndexes%22%3A%7B%22SingleIndexes%22%3A%5B%5D%2C%22CompositeIndexes%22%3A"
                               "%5B%5D%7D%2C%22PotentialIndexes%22%3A%7B%22SingleIndexes%22%3A%5B%5D%2C"
                               "%22CompositeIndexes%22%3A%5B%5D%7D%7D");
  } else if (HeaderIsTrue(request, "x-ms-cosmos-populateindexmetrics")) {
    // The older form of the same.
    call->response().AddHeader("x-ms-cosmos-index-utilization",
                               Base64(R"({"UtilizedSingleIndexes":[],"PotentialSingleIndexes":[],)"
                                      R"("UtilizedCompositeIndexes":[],"PotentialCompositeIndexes":[]})"));
  }
}

}  // namespace

void ReadItemFeed(CallPtr call) {
  Result<engine::ContainerPtr> found = FindContainer(*call);
  if (!found.ok()) return call->Fail(OwnerMissing(found.status()));
  const engine::Container& container = **found;
  FeedScope scope;
  if (std::optional<ApiError> error = ReadFeedScope(call->request(), container, &scope)) return call->Fail(*error);
  std::string rid;
  AppendContainerRid(container.database(), container.id(), &rid);
  std::string name = FeedName(rid, scope);
  Result<PageRequest> page = ReadPageRequest(call->request(), name);
  if (!page.ok()) return call->Fail(page.status());
  Result<std::string> session = FeedSession(call->request(), container, scope);
  if (!session.ok()) return call->Fail(session.status());

  const engine::FeedOptions options{scope, std::move(page->position), page->items_max};
  FeedBody feed(rid, "Documents", &call->body());
  size_t bytes = 0;
  const auto take = [&](const engine::Item& item, engine::Place place) {
    const bool taken =
        feed.Add(place, [&](std::string* json) { AppendItemJson(container, item.meta, item.document, json); });
    if (taken) bytes += item.document.size();
    return taken;
  };
  Result<engine::FeedPage> read = container.ReadFeed(options, take, &call->meter());
  if (!read.ok()) return call->Fail(read.status());
  feed.End();
  call->AddSession(container, *session);
  AddPageHeaders(call.get(), name, feed.count(), read->resume_after);
  AddQueryHeaders(call.get(), feed.count(), bytes);
  call->Send(200);
}

}  // namespace lapse::api::cosmos
