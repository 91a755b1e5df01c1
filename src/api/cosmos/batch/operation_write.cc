#include "api/cosmos/batch/operation_write.h"

#include <string>
#include <utility>

#include "api/cosmos/items/item_content.h"
#include "api/cosmos/items/item_request.h"
#include "api/cosmos/items/patch_request.h"
#include "api/cosmos/wire/names.h"
#include "api/cosmos/wire/request_body.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/system_properties.h"

namespace lapse::api::cosmos {
namespace {

using Kind = engine::WriteKind;

Status AddContent(const BatchOperation& operation, const PartitionKeyValues& key, const engine::Container& container,
                  engine::ItemWrite* write) {
  std::string document;
  if (operation.resource.missing()) {
    LAPSE_ASSIGN_OR_RETURN(document, ParseBody(operation.resource_text));
  } else {
    document = operation.resource.AsDocument();
  }
  LAPSE_ASSIGN_OR_RETURN(ItemContent content, ContentFromDocument(std::move(document), key, container.partition_key()));
  return SetContent(std::move(content), operation.id, write);
}

Status AddPatch(const BatchOperation& operation, const engine::Container& container, engine::ItemWrite* write) {
  const ItemsOwner owner{container.database(), container.id()};
  Result<engine::ItemPatch> patch = operation.resource.missing()
                                        ? ReadPatch(operation.resource_text, container.partition_key(), owner)
                                        : PatchFromValue(operation.resource, container.partition_key(), owner);
  if (!patch.ok()) return patch.status();
  write->patch = *std::move(patch);
  return Status::Ok();
}

// A read with either condition gets 304 if it would return the version that the client has.
Status AddCondition(const BatchOperation& operation, const engine::Container& container, engine::ItemWrite* write) {
  if (operation.kind == Kind::kCreate) return Status::Ok();
  LAPSE_ASSIGN_OR_RETURN(write->precondition, PreconditionFrom(operation.if_match, operation.if_none_match, container));
  if (operation.kind != Kind::kRead) return Status::Ok();
  const bool any = operation.if_match == "*";
  const std::string_view etag = operation.if_match.empty() ? operation.if_none_match : operation.if_match;
  write->precondition = any ? engine::Precondition() : VersionAtClient(etag, container);
  return Status::Ok();
}

Status Fill(const BatchOperation& operation, const PartitionKeyValues& key, const engine::Container& container,
            engine::ItemWrite* write) {
  if (!operation.id.empty()) {
    LAPSE_RETURN_IF_ERROR(CheckItemId(operation.id));
    write->address.id = engine::StringItemId(operation.id);
  }
  LAPSE_RETURN_IF_ERROR(AddCondition(operation, container, write));
  LAPSE_ASSIGN_OR_RETURN(write->indexing, IndexingDirectiveFrom(operation.indexing_directive));
  switch (operation.kind) {
    case Kind::kCreate:
    case Kind::kUpsert:
    case Kind::kReplace: return AddContent(operation, key, container, write);
    case Kind::kPatch: return AddPatch(operation, container, write);
    case Kind::kDelete:
    case Kind::kRead: break;
  }
  return Status::Ok();
}

}  // namespace

engine::ItemWrite WriteOfOperation(const BatchOperation& operation, const PartitionKeyValues& key,
                                   const engine::Container& container) {
  engine::ItemWrite write;
  write.kind = operation.kind;
  write.address.key = engine::LogicalKeyOf(container.partition_key(), key);
  write.refusal = Fill(operation, key, container, &write);
  return write;
}

bool ShowsItem(Kind kind, bool minimal) {
  return kind == Kind::kRead || (kind != Kind::kDelete && !minimal);
}

BatchResult ResultOf(const engine::Container& container, Kind kind, bool minimal, const engine::ItemWritten& written) {
  BatchResult result;
  result.status = StatusOfDone(kind, written);
  result.milli_ru = written.milli_ru;
  if (kind != Kind::kDelete) AppendItemEtag(container.id(), written.meta, &result.etag);
  if (ShowsItem(kind, minimal) && !written.unchanged) {
    AppendItemJson(container, written.meta, written.document, &result.resource);
  }
  return result;
}

}  // namespace lapse::api::cosmos
