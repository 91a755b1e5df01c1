#include "api/cosmos/items/item_content.h"

#include "api/cosmos/containers/definition/ttl_property.h"
#include "api/cosmos/items/patch_rules.h"
#include "api/cosmos/partition_key/partition_key_values.h"
#include "api/cosmos/wire/names.h"
#include "api/cosmos/wire/request_body.h"
#include "api/cosmos/wire/system_properties.h"
#include "doc/value.h"

namespace lapse::api::cosmos {
namespace {

Result<std::string> ReadId(std::string_view document) {
  doc::Value id = doc::Find(document, "id");
  if (!id.missing() && id.type() != doc::Type::kString) {
    return Status(Code::kInvalidArgument, "The input content is invalid because the property 'id' must be a string");
  }
  std::string text(id.missing() ? std::string_view() : id.AsString());
  LAPSE_RETURN_IF_ERROR(CheckItemId(text));
  return text;
}

// `given`: the key that the request names; null: none.
Result<ItemContent> Complete(ItemContent content, const PartitionKeyValues* given,
                             const engine::PartitionKeyDefinition& partition_key) {
  PartitionKeyValues extracted = ExtractPartitionKey(content.document, partition_key);
  LAPSE_RETURN_IF_ERROR(CheckPartitionKeySize(extracted));
  if (given != nullptr && *given != extracted) {
    return Status(Code::kPartitionKeyMismatch,
                  "PartitionKey extracted from document doesn't match the one specified in the header. Learn more: "
                  "https://aka.ms/CosmosDB/sql/errors/wrong-pk-value");
  }
  content.key = engine::LogicalKeyOf(partition_key, extracted);
  content.document = WithoutSystemNames(std::move(content.document), IsItemSystemName);
  return content;
}

}  // namespace

Result<ItemContent> ReadItemContent(std::string_view body, std::string_view partition_key_header,
                                    const engine::PartitionKeyDefinition& partition_key,
                                    std::string_view container_properties) {
  ItemContent content;
  LAPSE_ASSIGN_OR_RETURN(content.document, ParseBody(body));
  LAPSE_ASSIGN_OR_RETURN(content.id, ReadId(content.document));
  LAPSE_ASSIGN_OR_RETURN(content.own_ttl, ItemTtl(doc::Find(content.document, kTtlProperty), body));
  if (partition_key_header.empty()) return Complete(std::move(content), nullptr, partition_key);
  // Errors in the document's own key are reported first.
  LAPSE_RETURN_IF_ERROR(CheckPartitionKeySize(ExtractPartitionKey(content.document, partition_key)));
  LAPSE_ASSIGN_OR_RETURN(const PartitionKeyValues given,
                         WholePartitionKey(partition_key_header, partition_key, container_properties));
  return Complete(std::move(content), &given, partition_key);
}

Result<ItemContent> ContentFromDocument(std::string document, const PartitionKeyValues& key,
                                        const engine::PartitionKeyDefinition& partition_key) {
  ItemContent content;
  content.document = std::move(document);
  LAPSE_ASSIGN_OR_RETURN(content.id, ReadId(content.document));
  LAPSE_ASSIGN_OR_RETURN(content.own_ttl, ItemPatchRules().OwnTtlOf(content.document));
  return Complete(std::move(content), &key, partition_key);
}

}  // namespace lapse::api::cosmos
