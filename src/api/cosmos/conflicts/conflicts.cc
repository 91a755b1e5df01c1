// Conflicts arise between several write regions. There is only one, so there are none.
#include <string>
#include <vector>

#include "api/cosmos/conflicts/handlers.h"
#include "api/cosmos/query/query_resources.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/paging.h"
#include "api/cosmos/wire/resource_ids.h"
#include "engine/records/prices/prices.h"

namespace lapse::api::cosmos {
void ListConflicts(CallPtr call) {
  Result<engine::ContainerPtr> container = FindContainer(*call);
  if (!container.ok()) return call->Fail(OwnerMissing(container.status()));
  std::string rid;
  AppendContainerRid((*container)->database(), (*container)->id(), &rid);
  const std::string feed_name = "conflicts/" + rid;
  Result<PageRequest> page = ReadPageRequest(call->request(), feed_name);
  if (!page.ok()) return call->Fail(page.status());
  FeedBody feed(rid, "Conflicts", &call->body());
  feed.End();
  AddPageHeaders(call.get(), feed_name, feed.count(), {});
  call->Send(200, engine::kMetadataMilliRu);
}

void QueryConflicts(CallPtr call) {
  Result<engine::ContainerPtr> container = FindContainer(*call);
  if (!container.ok()) return call->Fail(OwnerMissing(container.status()));
  QueriedFeed feed;
  AppendContainerRid((*container)->database(), (*container)->id(), &feed.rid);
  feed.name = "conflicts/" + feed.rid;
  feed.member = "Conflicts";
  feed.next = [](std::string_view) { return std::vector<query::exec::ListedItem>(); };
  SendQuery(call.get(), feed);
}

void FindConflict(CallPtr call) {
  Result<engine::ContainerPtr> container = FindContainer(*call);
  if (!container.ok()) return call->Fail(OwnerMissing(container.status()));
  call->Fail(Status(Code::kNotFound, ""));
}

}  // namespace lapse::api::cosmos
