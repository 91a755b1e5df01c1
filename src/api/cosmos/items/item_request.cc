#include "api/cosmos/items/item_request.h"

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "api/cosmos/wire/resource_ids.h"
#include "base/ascii.h"

namespace lapse::api::cosmos {
namespace {

// Sequence numbers begin at 1, and no time is before 1970.
constexpr engine::ItemVersion kNoVersion{.sequence = 0, .ts_s = -1};

}  // namespace

Result<PartitionKeyValues> RequestedKey(const net::Request& request, const engine::Container& container) {
  const std::string_view header = request.Header("x-ms-documentdb-partitionkey");
  if (header.empty()) {
    return Status(Code::kInvalidArgument, "PartitionKey value must be supplied for this operation.");
  }
  const std::shared_ptr<const engine::ContainerState> state = container.state();
  return WholePartitionKey(header, container.partition_key(), state->definition.properties);
}

Result<engine::LogicalKey> KeyOf(const Call& call, const engine::Container& container) {
  LAPSE_ASSIGN_OR_RETURN(const PartitionKeyValues values, RequestedKey(call.request(), container));
  return engine::LogicalKeyOf(container.partition_key(), values);
}

Result<engine::Precondition> PreconditionOf(const net::Request& request, const engine::Container& container) {
  return PreconditionFrom(request.Header("if-match"), request.Header("if-none-match"), container);
}

Result<engine::Precondition> PreconditionFrom(std::string_view if_match, std::string_view if_none_match,
                                              const engine::Container& container) {
  using Kind = engine::Precondition::Kind;
  if (!if_match.empty() && !if_none_match.empty()) {
    return Status(Code::kInvalidArgument, "An operation may have If-Match or If-None-Match, not both.");
  }
  if (if_match.empty() && if_none_match.empty()) return engine::Precondition{};
  std::string_view condition = if_match.empty() ? if_none_match : if_match;
  if (condition == "*") return engine::Precondition{if_match.empty() ? Kind::kAbsent : Kind::kExists, {}};
  return engine::Precondition{if_match.empty() ? Kind::kDiffers : Kind::kMatches,
                              ParseItemEtag(condition, container.id()).value_or(kNoVersion)};
}

engine::Precondition VersionAtClient(std::string_view etag, const engine::Container& container) {
  using Kind = engine::Precondition::Kind;
  if (etag == "*") return {Kind::kAbsent, {}};
  const std::optional<engine::ItemVersion> version = ParseItemEtag(etag, container.id());
  return version.has_value() ? engine::Precondition{Kind::kDiffers, *version} : engine::Precondition{};
}

Status RefuseTriggers(const net::Request& request) {
  if (request.Header("x-ms-documentdb-pre-trigger-include").empty() &&
      request.Header("x-ms-documentdb-post-trigger-include").empty()) {
    return Status::Ok();
  }
  return Status(Code::kUnsupported, "Running triggers is not supported yet.");
}

Result<engine::IndexingDirective> IndexingDirectiveFrom(std::string_view text) {
  if (text.empty() || EqualsIgnoreCase(text, "default")) return engine::IndexingDirective::kDefault;
  if (EqualsIgnoreCase(text, "include")) return engine::IndexingDirective::kInclude;
  if (EqualsIgnoreCase(text, "exclude")) return engine::IndexingDirective::kExclude;
  return Status(Code::kInvalidArgument, "The value of x-ms-indexing-directive must be Include, Exclude or Default.");
}

Status IdChanges() {
  return Status(Code::kInvalidArgument, "The id of an item cannot be changed by a replace.");
}

Status SetContent(ItemContent content, std::optional<std::string_view> named, engine::ItemWrite* write) {
  if (write->kind == engine::WriteKind::kReplace && named.has_value() && content.id != *named) return IdChanges();
  write->address = {std::move(content.key), engine::StringItemId(content.id)};
  write->document = std::move(content.document);
  write->own_ttl = content.own_ttl;
  return Status::Ok();
}

int StatusOfDone(engine::WriteKind kind, const engine::ItemWritten& written) {
  using Kind = engine::WriteKind;
  switch (kind) {
    case Kind::kCreate: return 201;
    case Kind::kUpsert: return written.created ? 201 : 200;
    case Kind::kDelete: return 204;
    case Kind::kRead: return written.unchanged ? 304 : 200;
    case Kind::kReplace:
    case Kind::kPatch: break;
  }
  return 200;
}

bool WantsMinimal(const net::Request& request) {
  return EqualsIgnoreCase(request.Header("prefer"), "return=minimal");
}

}  // namespace lapse::api::cosmos
