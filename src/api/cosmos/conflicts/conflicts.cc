// Conflicts come from several write regions. There is one, so there are none.
#include <string>

#include "api/cosmos/handlers.h"
#include "api/cosmos/query/property_query.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/paging.h"
#include "api/cosmos/wire/resource_ids.h"
#include "engine/request_units/prices.h"

namespace lapse::api::cosmos {
namespace {

constexpr std::string_view kQueried[] = {"id", "_rid", "resourceId"};

}  // namespace

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
  Result<PropertyQuery> query = ParsePropertyQuery(call->request().body, kQueried);
  if (!query.ok()) return call->Fail(query.status());
  ListConflicts(std::move(call));
}

void FindConflict(CallPtr call) {
  Result<engine::ContainerPtr> container = FindContainer(*call);
  if (!container.ok()) return call->Fail(OwnerMissing(container.status()));
  call->Fail(Status(Code::kNotFound, ""));
}

}  // namespace lapse::api::cosmos
