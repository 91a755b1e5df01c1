#include "api/cosmos/partition_key/feed_scope.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <string_view>
#include <utility>

#include "api/cosmos/partition_key/partition_key_values.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/session_token.h"
#include "base/bytes.h"
#include "base/hex.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::api::cosmos {
namespace {

ApiError InvalidScope(std::string message) {
  return FromStatus(Status(Code::kInvalidArgument, std::move(message)));
}

void Narrow(const engine::EpkRange& by, engine::EpkRange* range) {
  range->min = std::max(range->min, by.min);
  range->max = std::min(range->max, by.max);
}

// `3`, or `<container rid>,3`.
std::optional<ApiError> NarrowToRange(std::string_view header, const engine::Container& container, FeedScope* scope) {
  if (size_t comma = header.rfind(','); comma != std::string_view::npos) header.remove_prefix(comma + 1);
  uint32_t id = 0;
  auto [stop, error] = std::from_chars(header.data(), header.data() + header.size(), id);
  if (error != std::errc() || stop != header.data() + header.size()) {
    return InvalidScope("The value of x-ms-documentdb-partitionkeyrangeid is not a partition key range id.");
  }
  for (const auto& partition : container.partitions()) {
    if (partition->number() != id) continue;
    Narrow(partition->range(), &scope->range);
    return std::nullopt;
  }
  std::string container_rid;
  AppendContainerRid(container.database(), container.id(), &container_rid);
  return RangeUnknown(header, container_rid);
}

// Narrows the current scope. Keys outside of their partition key range come from an outdated list of ranges, and the
// client should reload it.
std::optional<ApiError> NarrowToKeys(std::string_view start, std::string_view end, FeedScope* scope) {
  engine::EpkRange range = scope->range;
  if ((!start.empty() && !FromHex(start, &range.min)) || (!end.empty() && !FromHex(end, &range.max)) ||
      range.min >= range.max) {
    return InvalidScope("x-ms-start-epk and x-ms-end-epk must be a range of effective partition keys in hexadecimal.");
  }
  if (range.min < scope->range.min || range.max > scope->range.max) return RangeGone();
  scope->range = range;
  return std::nullopt;
}

std::optional<ApiError> NarrowToPartitionKey(std::string_view header, const engine::Container& container,
                                             FeedScope* scope) {
  const engine::PartitionKeyDefinition& definition = container.partition_key();
  Result<PartitionKeyValues> values = ParsePartitionKeyHeader(header);
  if (!values.ok()) return FromStatus(values.status());
  bool prefix = definition.kind == engine::PartitionKeyKind::kMultiHash && !values->empty() &&
                values->size() < definition.paths.size();
  if (prefix) {
    if (Status size = CheckPartitionKeySize(*values); !size.ok()) return FromStatus(size);
    Narrow(engine::PrefixRange(definition, *values), &scope->range);
    scope->value_prefix = engine::EncodeKeyValue(*values);
    return std::nullopt;
  }
  std::shared_ptr<const engine::ContainerState> state = container.state();
  values = WholePartitionKey(header, definition, state->definition.properties);
  if (!values.ok()) return FromStatus(values.status());
  scope->exact = engine::LogicalKeyOf(definition, *values);
  return std::nullopt;
}

}  // namespace

std::string FeedName(std::string owner, const FeedScope& scope) {
  std::string name = std::move(owner);
  if (scope.exact) return name.append(" key ").append(HexUpper(scope.exact->epk + scope.exact->value));
  name.append(" range ").append(HexUpper(scope.range.min)).append("-").append(HexUpper(scope.range.max));
  return name.append(" ").append(HexUpper(scope.value_prefix));
}

std::optional<ApiError> ReadFeedScope(const net::Request& request, const engine::Container& container,
                                      FeedScope* scope) {
  std::string_view range_id = request.Header("x-ms-documentdb-partitionkeyrangeid");
  if (!range_id.empty()) {
    if (auto error = NarrowToRange(range_id, container, scope)) return error;
  }
  std::string_view start = request.Header("x-ms-start-epk");
  std::string_view end = request.Header("x-ms-end-epk");
  if (!start.empty() || !end.empty()) {
    if (auto error = NarrowToKeys(start, end, scope)) return error;
  }
  std::string_view key = request.Header("x-ms-documentdb-partitionkey");
  if (!key.empty()) {
    if (auto error = NarrowToPartitionKey(key, container, scope)) return error;
  }
  // A key outside the other ranges, or ranges without an intersection: read nothing.
  if (scope->exact && !scope->range.Contains(scope->exact->epk)) {
    scope->exact.reset();
    scope->range.max = scope->range.min;
  }
  return std::nullopt;
}

std::optional<ApiError> FindOnePartition(const net::Request& request, const engine::Container& container,
                                         const FeedScope& scope, const engine::Partition** partition) {
  int touched = 0;
  for (const auto& candidate : container.partitions()) {
    if (scope.empty() || !scope.Touches(candidate->range())) continue;
    *partition = candidate.get();
    ++touched;
  }
  if (touched == 1) return std::nullopt;
  // A range of keys comes from an outdated list of ranges: as after a split, the client should reload it.
  bool by_keys = request.HasHeader("x-ms-start-epk") || request.HasHeader("x-ms-end-epk");
  return touched == 0 || by_keys ? RangeGone() : SeveralPartitions();
}

Result<std::string> FeedSession(const net::Request& request, const engine::Container& container,
                                const FeedScope& scope) {
  std::string_view asked = request.Header("x-ms-session-token");
  std::string token;
  for (const auto& partition : container.partitions()) {
    if (!scope.Touches(partition->range())) continue;
    uint64_t last_lsn = partition->last_lsn();
    LAPSE_RETURN_IF_ERROR(CheckSession(asked, partition->number(), last_lsn));
    AppendSessionToken(partition->number(), last_lsn, &token);
  }
  return token;
}

}  // namespace lapse::api::cosmos
