#include "api/cosmos/items/item_content.h"

#include "api/cosmos/containers/ttl_property.h"
#include "api/cosmos/items/partition_key_values.h"
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

}  // namespace

Result<ItemContent> ReadItemContent(std::string_view body, std::string_view partition_key_header,
                                    const engine::PartitionKeyDefinition& partition_key,
                                    std::string_view container_properties) {
  ItemContent content;
  LAPSE_ASSIGN_OR_RETURN(content.document, ParseBody(body));
  LAPSE_ASSIGN_OR_RETURN(content.id, ReadId(content.document));
  LAPSE_ASSIGN_OR_RETURN(content.own_ttl, ItemTtl(doc::Find(content.document, kTtlProperty), body));

  PartitionKeyValues extracted = ExtractPartitionKey(content.document, partition_key);
  LAPSE_RETURN_IF_ERROR(CheckPartitionKeySize(extracted));
  if (!partition_key_header.empty()) {
    LAPSE_ASSIGN_OR_RETURN(PartitionKeyValues given,
                           WholePartitionKey(partition_key_header, partition_key, container_properties));
    if (given != extracted) {
      return Status(Code::kPartitionKeyMismatch,
                    "PartitionKey extracted from document doesn't match the one specified in the header");
    }
  }
  content.key = engine::LogicalKeyOf(partition_key, extracted);
  content.document = WithoutSystemNames(std::move(content.document), IsItemSystemName);
  return content;
}

}  // namespace lapse::api::cosmos
