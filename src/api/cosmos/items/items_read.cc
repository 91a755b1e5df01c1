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

void ReadItemWithin(CallPtr call, store::Reach reach);

void ReadItemAfterTurn(CallPtr call) {
  Executor* turning = call->context().turning;
  turning->Run([call = std::move(call)]() mutable {
    call->context().engine->clock().NowMs();
    ReadItemWithin(std::move(call), store::Reach::kMemory);
  });
}

void ReadItemWithin(CallPtr call, store::Reach reach) {
  Result<engine::ContainerPtr> found = FindContainer(*call);
  if (!found.ok()) return call->Fail(OwnerMissing(found.status()));
  const engine::Container& container = **found;
  Result<engine::ItemAddress> address = AddressOf(*call, container);
  if (!address.ok()) return call->Fail(address.status());

  // Before the read, which then sees at least this much.
  const engine::Partition& partition = container.PartitionFor(address->key.epk);
  const engine::Lsn last_lsn = partition.last_lsn();
  Status session = CheckSession(call->request().Header("x-ms-session-token"), partition.number(), last_lsn);
  if (!session.ok()) return call->Fail(session);

  const engine::ReadItemOptions options{.reach = reach,
                                        .unless = VersionAtClient(call->request().Header("if-none-match"), container)};
  Result<engine::Item> item = container.Read(*address, options, &call->meter());
  if (item.status().code() == Code::kWouldBlock) {
    // Nobody may wait here. Where it is the second that must be turned over, the answer may be in memory all the same:
    // it does not wait behind those who read a disk that hangs.
    if (!call->context().engine->clock().TryNowMs().has_value()) return ReadItemAfterTurn(std::move(call));
    return RunBlocking(std::move(call), [](CallPtr again) { ReadItemWithin(std::move(again), store::Reach::kDisk); });
  }
  if (item.status().code() == Code::kThrottled) return call->Fail(item.status());
  std::string text;
  AppendSessionToken(partition.number(), last_lsn, &text);
  call->AddSession(container, text);
  if (!item.ok()) return call->Fail(item.status());
  text.clear();
  AppendItemEtag(container.id(), item->meta, &text);
  call->AddEtag(text);
  if (item->unchanged) return call->Fail(Status(Code::kNotModified, ""));
  AppendItemJson(container, item->meta, item->document, &call->body());
  call->Send(200);
}

}  // namespace

void ReadItem(CallPtr call) {
  ReadItemWithin(std::move(call), store::Reach::kMemory);
}

}  // namespace lapse::api::cosmos
