#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/cosmos/items/handlers.h"
#include "api/cosmos/items/item_content.h"
#include "api/cosmos/items/item_request.h"
#include "api/cosmos/items/patch_request.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/system_properties.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::api::cosmos {
namespace {

using engine::WriteKind;

// Takes what the headers ask of every write. None is ignored silently.
Status TakeWriteHeaders(const net::Request& request, engine::ItemWrite* write) {
  LAPSE_RETURN_IF_ERROR(RefuseTriggers(request));
  LAPSE_ASSIGN_OR_RETURN(write->indexing, IndexingDirectiveFrom(request.Header("x-ms-indexing-directive")));
  return Status::Ok();
}

void Answer(Call* call, const engine::Container& container, WriteKind kind, engine::PartitionNumber partition,
            const engine::ItemWritten& written) {
  call->AddSession(container, partition, written.partition_lsn);
  if (kind != WriteKind::kDelete) {
    std::string text;
    AppendItemEtag(container.id(), written.meta, &text);
    call->AddEtag(text);
    if (!WantsMinimal(call->request())) AppendItemJson(container, written.meta, written.document, &call->body());
  }
  call->Send(StatusOfDone(kind, written));
}

// Clients update their session from these failures, too: the item was missing, existed, or had changed.
void Refuse(Call* call, const engine::Container& container, const engine::Partition& partition, const Status& why) {
  const Code code = why.code();
  if (code == Code::kNotFound || code == Code::kAlreadyExists || code == Code::kUniqueKeyTaken ||
      code == Code::kPreconditionFailed) {
    call->AddSession(container, partition.number(), partition.last_lsn());
  }
  call->Fail(why);
}

// Queues the write. The thread that commits it sends the response.
void Submit(CallPtr call, engine::ContainerPtr container, engine::ItemWrite write) {
  const WriteKind kind = write.kind;
  const engine::Partition* partition = &container->PartitionFor(write.address.key.epk);
  const engine::Container& target = *container;
  engine::RequestMeter* meter = &call->meter();
  auto answer = [call = std::move(call), container = std::move(container), kind,
                 partition](Result<engine::ItemWritten> result) {
    if (!result.ok()) return Refuse(call.get(), *container, *partition, result.status());
    Answer(call.get(), *container, kind, partition->number(), *result);
  };
  target.Write(std::move(write), std::move(answer), meter);
}

// A write addressed by rid, on its way to the commit. Shared, since executors keep copyable functions.
struct WriteByRid {
  CallPtr call;
  engine::ContainerPtr container;
  engine::ItemWrite write;
};

// Finds the id that the commit needs. The commit checks whether it is still the same item.
void SubmitByRid(std::shared_ptr<WriteByRid> by_rid, store::Reach reach) {
  Call* call = by_rid->call.get();
  engine::ItemWrite& write = by_rid->write;
  const engine::Container& container = *by_rid->container;
  write.only = call->route().rid()->number;
  Result<std::string> id = container.FindId({write.address.key, write.only}, reach, &call->meter());
  if (id.status().code() == Code::kWouldBlock) {
    Executor* blocking = call->context().blocking;
    return blocking->Run([by_rid = std::move(by_rid)] { SubmitByRid(by_rid, store::Reach::kDisk); });
  }
  if (!id.ok()) return Refuse(call, container, container.PartitionFor(write.address.key.epk), id.status());
  if (write.kind == WriteKind::kReplace && write.address.id != *id) {
    call->meter().ChargeRefused(IdChanges());
    return call->Fail(IdChanges());
  }
  write.address.id = *std::move(id);
  Submit(std::move(by_rid->call), std::move(by_rid->container), std::move(write));
}

Result<engine::ItemWrite> WriteOf(const Call& call, const engine::Container& container, WriteKind kind) {
  const net::Request& request = call.request();
  engine::ItemWrite write;
  write.kind = kind;
  LAPSE_RETURN_IF_ERROR(TakeWriteHeaders(request, &write));
  std::shared_ptr<const engine::ContainerState> state = container.state();
  LAPSE_ASSIGN_OR_RETURN(ItemContent content,
                         ReadItemContent(request.body, request.Header("x-ms-documentdb-partitionkey"),
                                         container.partition_key(), state->definition.properties));
  std::optional<std::string_view> named;
  if (!call.route().by_rid()) named = call.route().item();
  LAPSE_RETURN_IF_ERROR(SetContent(std::move(content), named, &write));
  if (kind != WriteKind::kCreate) {
    LAPSE_ASSIGN_OR_RETURN(write.precondition, PreconditionOf(request, container));
  }
  return write;
}

Result<engine::ItemWrite> CreationOf(const Call& call, const engine::Container& container) {
  return WriteOf(call, container, call.operation() == Operation::kUpsert ? WriteKind::kUpsert : WriteKind::kCreate);
}

Result<engine::ItemWrite> ReplacementOf(const Call& call, const engine::Container& container) {
  // Unlike a create, a replace names an existing item, so the new content cannot determine its key.
  LAPSE_RETURN_IF_ERROR(KeyOf(call, container).status());
  return WriteOf(call, container, WriteKind::kReplace);
}

// Makes a write without a document.
Result<engine::ItemWrite> WriteTo(const Call& call, const engine::Container& container, WriteKind kind) {
  engine::ItemWrite write;
  write.kind = kind;
  LAPSE_RETURN_IF_ERROR(TakeWriteHeaders(call.request(), &write));
  LAPSE_ASSIGN_OR_RETURN(write.address.key, KeyOf(call, container));
  if (!call.route().by_rid()) write.address.id = engine::StringItemId(call.route().item());
  LAPSE_ASSIGN_OR_RETURN(write.precondition, PreconditionOf(call.request(), container));
  return write;
}

Result<engine::ItemWrite> DeletionOf(const Call& call, const engine::Container& container) {
  return WriteTo(call, container, WriteKind::kDelete);
}

Result<engine::ItemWrite> PatchOf(const Call& call, const engine::Container& container) {
  LAPSE_ASSIGN_OR_RETURN(engine::ItemWrite write, WriteTo(call, container, WriteKind::kPatch));
  LAPSE_ASSIGN_OR_RETURN(
      write.patch, ReadPatch(call.request().body, container.partition_key(), {container.database(), container.id()}));
  return write;
}

using ReadWrite = Result<engine::ItemWrite>(const Call& call, const engine::Container& container);

void Serve(CallPtr call, ReadWrite* read_write) {
  Result<engine::ContainerPtr> container = FindContainer(*call);
  if (!container.ok()) return call->Fail(OwnerMissing(container.status()));
  Result<engine::ItemWrite> write = read_write(*call, **container);
  if (!write.ok()) return call->Fail(write.status());
  if (!call->route().by_rid() || call->route().kind() != RouteKind::kItem) {
    return Submit(std::move(call), *std::move(container), *std::move(write));
  }
  SubmitByRid(std::make_shared<WriteByRid>(WriteByRid{std::move(call), *std::move(container), *std::move(write)}),
              store::Reach::kMemory);
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
