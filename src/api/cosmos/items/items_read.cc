#include <string>
#include <utility>

#include "api/cosmos/items/handlers.h"
#include "api/cosmos/items/item_request.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/session_token.h"
#include "api/cosmos/wire/system_properties.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::api::cosmos {
namespace {

// By its id, or by its rid.
Result<engine::Item> ReadNamed(Call* call, const engine::Container& container, engine::LogicalKey key,
                               const engine::ReadItemOptions& options) {
  const Route& route = call->route();
  if (!route.by_rid()) {
    return container.Read(engine::ItemAddress{std::move(key), engine::StringItemId(route.item())}, options,
                          &call->meter());
  }
  return container.Read(engine::NumberedItem{std::move(key), route.rid()->number}, options, &call->meter());
}

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
  Result<engine::LogicalKey> key = KeyOf(*call, container);
  if (!key.ok()) return call->Fail(key.status());

  // Taken before the read, which then sees at least this much.
  const engine::Partition& partition = container.PartitionFor(key->epk);
  const engine::Lsn last_lsn = partition.last_lsn();
  Status session = CheckSession(call->request().Header("x-ms-session-token"), partition.number(), last_lsn);
  if (!session.ok()) return call->Fail(session);

  const engine::ReadItemOptions options{.reach = reach,
                                        .unless = VersionAtClient(call->request().Header("if-none-match"), container)};
  Result<engine::Item> item = ReadNamed(call.get(), container, *std::move(key), options);
  if (item.status().code() == Code::kWouldBlock) {
    // This thread must not wait. Even if the second must be turned, the item may be in memory, so the read does not
    // queue behind reads from a disk that hangs.
    if (!call->context().engine->clock().TryNowMs().has_value()) return ReadItemAfterTurn(std::move(call));
    return RunBlocking(std::move(call), [](CallPtr again) { ReadItemWithin(std::move(again), store::Reach::kDisk); });
  }
  if (item.status().code() == Code::kThrottled) return call->Fail(item.status());
  call->AddSession(container, partition.number(), last_lsn);
  if (!item.ok()) return call->Fail(item.status());
  std::string text;
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
