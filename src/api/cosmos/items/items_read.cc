#include <string>

#include "api/cosmos/handlers.h"
#include "api/cosmos/items/item_request.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/session_token.h"
#include "api/cosmos/wire/system_properties.h"
#include "engine/commit/partition.h"

namespace lapse::api::cosmos {
namespace {

Status CheckSession(std::string_view token, const engine::Partition& partition, uint64_t last_lsn) {
  if (token.empty()) return Status::Ok();
  LAPSE_ASSIGN_OR_RETURN(uint64_t asked, RequestedLsn(token, partition.stream()));
  if (asked <= last_lsn) return Status::Ok();
  return Status(Code::kSessionNotAvailable, "The read session is not available for the input session token.");
}

bool ClientHas(std::string_view if_none_match, const engine::Container& container, const engine::ItemVersion& version) {
  if (if_none_match.empty()) return false;
  return if_none_match == "*" || ParseItemEtag(if_none_match, container.id()) == version;
}

}  // namespace

void ReadItem(CallPtr call) {
  Result<engine::ContainerPtr> found = FindContainer(*call);
  if (!found.ok()) return call->Fail(OwnerNotFound());
  const engine::Container& container = **found;
  Result<engine::ItemAddress> address = AddressOf(*call, container);
  if (!address.ok()) return call->Fail(address.status());

  const engine::Partition& partition = container.PartitionFor(address->epk);
  if (!call->Admit(*found, partition)) return;
  // Before the read, which then sees at least this much.
  uint64_t last_lsn = partition.last_lsn();
  Status session = CheckSession(call->request().Header("x-ms-session-token"), partition, last_lsn);
  if (!session.ok()) return call->Fail(session);
  std::string text;
  AppendSessionToken(partition.stream(), last_lsn, &text);
  call->AddSession(container, text);

  Result<engine::Item> item = container.Read(*address);
  if (!item.ok()) return call->Fail(item.status());
  text.clear();
  AppendItemEtag(container.id(), item->meta.version, &text);
  call->AddEtag(text);
  if (ClientHas(call->request().Header("if-none-match"), container, item->meta.version)) {
    return call->Fail(Status(Code::kNotModified, ""));
  }
  AppendItemJson(container, item->meta, item->document, &call->body());
  call->Send(200, engine::PointReadMilliRu(engine::PricedBytes(item->document)));
}

}  // namespace lapse::api::cosmos
