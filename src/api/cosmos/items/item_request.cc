#include "api/cosmos/items/item_request.h"

#include <memory>
#include <string_view>
#include <utility>

#include "api/cosmos/items/partition_key_values.h"
#include "api/cosmos/wire/resource_ids.h"

namespace lapse::api::cosmos {
namespace {

// Sequence numbers begin at 1 and times do not lie before 1970.
constexpr engine::ItemVersion kNoVersion{.sequence = 0, .ts_s = -1};

}  // namespace

Result<engine::LogicalKey> KeyOf(const Call& call, const engine::Container& container) {
  std::string_view header = call.request().Header("x-ms-documentdb-partitionkey");
  if (header.empty()) {
    return Status(Code::kInvalidArgument, "PartitionKey value must be supplied for this operation.");
  }
  std::shared_ptr<const engine::ContainerState> state = container.state();
  LAPSE_ASSIGN_OR_RETURN(PartitionKeyValues values,
                         WholePartitionKey(header, container.partition_key(), state->definition.properties));
  return engine::LogicalKeyOf(container.partition_key(), values);
}

Result<engine::ItemAddress> AddressOf(const Call& call, const engine::Container& container) {
  LAPSE_ASSIGN_OR_RETURN(engine::LogicalKey key, KeyOf(call, container));
  return engine::ItemAddress{std::move(key), engine::StringItemId(call.route().item())};
}

Result<engine::Precondition> PreconditionOf(const net::Request& request, const engine::Container& container) {
  using Kind = engine::Precondition::Kind;
  std::string_view if_match = request.Header("if-match");
  std::string_view if_none_match = request.Header("if-none-match");
  if (!if_match.empty() && !if_none_match.empty()) {
    return Status(Code::kInvalidArgument, "A write may have If-Match or If-None-Match, not both.");
  }
  if (if_match.empty() && if_none_match.empty()) return engine::Precondition{};
  std::string_view condition = if_match.empty() ? if_none_match : if_match;
  if (condition == "*") return engine::Precondition{if_match.empty() ? Kind::kAbsent : Kind::kExists, {}};
  return engine::Precondition{if_match.empty() ? Kind::kDiffers : Kind::kMatches,
                              ParseItemEtag(condition, container.id()).value_or(kNoVersion)};
}

}  // namespace lapse::api::cosmos
