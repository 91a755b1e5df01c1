#include <memory>
#include <string>
#include <utility>

#include "api/cosmos/handlers.h"
#include "api/cosmos/items/item_content.h"
#include "api/cosmos/items/item_request.h"
#include "api/cosmos/items/patch_request.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/session_token.h"
#include "api/cosmos/wire/system_properties.h"
#include "engine/commit/partition.h"

namespace lapse::api::cosmos {
namespace {

using Kind = engine::ItemWrite::Kind;

void Answer(Call* call, const engine::Container& container, Kind kind, engine::PartitionNumber partition,
            const engine::ItemWritten& written) {
  std::string text;
  AppendSessionToken(partition, written.partition_lsn, &text);
  call->AddSession(container, text);
  if (kind != Kind::kDelete) {
    text.clear();
    AppendItemEtag(container.id(), written.meta, &text);
    call->AddEtag(text);
    if (!WantsMinimal(call->request())) AppendItemJson(container, written.meta, written.document, &call->body());
  }
  call->Send(StatusOfDone(kind, written));
}

// Queues the write; the answer goes out from the thread that commits it.
void Submit(CallPtr call, engine::ContainerPtr container, engine::ItemWrite write) {
  const Kind kind = write.kind;
  const engine::PartitionNumber partition = container->PartitionFor(write.address.key.epk).number();
  const engine::Container& target = *container;
  engine::Meter* meter = &call->meter();
  auto answer = [call = std::move(call), container = std::move(container), kind,
                 partition](Result<engine::ItemWritten> result) {
    if (!result.ok()) return call->Fail(result.status());
    Answer(call.get(), *container, kind, partition, *result);
  };
  target.Write(std::move(write), std::move(answer), meter);
}

Result<engine::ItemWrite> WriteOf(const Call& call, const engine::Container& container, Kind kind) {
  const net::Request& request = call.request();
  LAPSE_RETURN_IF_ERROR(RefuseTriggers(request));
  std::shared_ptr<const engine::ContainerState> state = container.state();
  LAPSE_ASSIGN_OR_RETURN(ItemContent content,
                         ReadItemContent(request.body, request.Header("x-ms-documentdb-partitionkey"),
                                         container.partition_key(), state->definition.properties));
  engine::ItemWrite write;
  write.kind = kind;
  LAPSE_RETURN_IF_ERROR(SetContent(std::move(content), call.route().item(), &write));
  if (kind != Kind::kCreate) {
    LAPSE_ASSIGN_OR_RETURN(write.precondition, PreconditionOf(request, container));
  }
  return write;
}

Result<engine::ItemWrite> CreationOf(const Call& call, const engine::Container& container) {
  return WriteOf(call, container, call.operation() == Operation::kUpsert ? Kind::kUpsert : Kind::kCreate);
}

Result<engine::ItemWrite> ReplacementOf(const Call& call, const engine::Container& container) {
  // Unlike a create, a replace names an item that is there, so its key cannot be left to the new content.
  LAPSE_RETURN_IF_ERROR(AddressOf(call, container).status());
  return WriteOf(call, container, Kind::kReplace);
}

// A write that brings no document.
Result<engine::ItemWrite> WriteTo(const Call& call, const engine::Container& container, Kind kind) {
  LAPSE_RETURN_IF_ERROR(RefuseTriggers(call.request()));
  engine::ItemWrite write;
  write.kind = kind;
  LAPSE_ASSIGN_OR_RETURN(write.address, AddressOf(call, container));
  LAPSE_ASSIGN_OR_RETURN(write.precondition, PreconditionOf(call.request(), container));
  return write;
}

Result<engine::ItemWrite> DeletionOf(const Call& call, const engine::Container& container) {
  return WriteTo(call, container, Kind::kDelete);
}

Result<engine::ItemWrite> PatchOf(const Call& call, const engine::Container& container) {
  LAPSE_ASSIGN_OR_RETURN(engine::ItemWrite write, WriteTo(call, container, Kind::kPatch));
  LAPSE_ASSIGN_OR_RETURN(write.patch, ReadPatch(call.request().body, container.partition_key()));
  return write;
}

using ReadWrite = Result<engine::ItemWrite>(const Call& call, const engine::Container& container);

void Serve(CallPtr call, ReadWrite* read_write) {
  Result<engine::ContainerPtr> container = FindContainer(*call);
  if (!container.ok()) return call->Fail(OwnerMissing(container.status()));
  Result<engine::ItemWrite> write = read_write(*call, **container);
  if (!write.ok()) return call->Fail(write.status());
  Submit(std::move(call), *std::move(container), *std::move(write));
}

}  // namespace

void CreateItem(CallPtr call) {
  Serve(std::move(call), CreationOf);
}

void ReplaceItem(CallPtr call) {
  Serve(std::move(call), ReplacementOf);
}

void DeleteItem(CallPtr call) {
  Serve(std::move(call), DeletionOf);
}

void PatchItem(CallPtr call) {
  Serve(std::move(call), PatchOf);
}

}  // namespace lapse::api::cosmos
