#include <optional>
#include <string>

#include "api/cosmos/items/handlers.h"
#include "api/cosmos/partition_key/feed_scope.h"
#include "api/cosmos/query/query_headers.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/paging.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/system_properties.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::api::cosmos {
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
  const auto items = static_cast<uint64_t>(feed.count());
  AddQueryHeaders(call.get(), {items, bytes, feed.count(), bytes, items});
  call->Send(200);
}

}  // namespace lapse::api::cosmos
