#include "api/cosmos/item_request.h"

#include <memory>

#include "api/cosmos/partition_key_values.h"
#include "api/cosmos/resource_ids.h"

namespace lapse::api::cosmos {
namespace {

// LSNs begin at 1 and times do not lie before 1970.
constexpr engine::ItemVersion kNoVersion{.lsn = 0, .ts_s = -1};

}  // namespace

Result<engine::ItemAddress> AddressOf(const Call& call, const engine::Container& container) {
  std::string_view header = call.request().Header("x-ms-documentdb-partitionkey");
  if (header.empty()) {
    return Status(Code::kInvalidArgument, "PartitionKey value must be supplied for this operation.");
  }
  std::shared_ptr<const engine::ContainerState> state = container.state();
  LAPSE_ASSIGN_OR_RETURN(PartitionKeyValues values,
                         WholePartitionKey(header, container.partition_key(), state->definition.properties));
  return engine::ItemAddress{engine::LogicalPartitionKey(container.partition_key(), values),
                             engine::StringItemId(call.route().item())};
}

engine::Precondition PreconditionOf(std::string_view if_match, const engine::Container& container) {
  if (if_match.empty()) return {};
  if (if_match == "*") return {engine::Precondition::Kind::kExists, {}};
  return {engine::Precondition::Kind::kMatches, ParseItemEtag(if_match, container.id()).value_or(kNoVersion)};
}

}  // namespace lapse::api::cosmos
