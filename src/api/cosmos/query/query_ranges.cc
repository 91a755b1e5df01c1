#include "api/cosmos/query/query_ranges.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace lapse::api::cosmos {
namespace {

using engine::PartitionKeyComponent;

PartitionKeyComponent ComponentOf(query::Value value) {
  switch (value.kind()) {
    case query::Kind::kBool: return PartitionKeyComponent::Bool(value.AsBool());
    case query::Kind::kInt64:
    case query::Kind::kDouble: return PartitionKeyComponent::Number(value.AsDouble() + 0.0);  // -0.0 becomes 0
    case query::Kind::kString: return PartitionKeyComponent::String(std::string(value.AsString()));
    default: return PartitionKeyComponent::Null();
  }
}

// Nullopt: anywhere.
std::optional<QueryRange> RangeOfKey(const query::sql::FilteredKey& key,
                                     const engine::PartitionKeyDefinition& definition) {
  std::vector<PartitionKeyComponent> components;
  for (const std::optional<query::Value>& value : key) {
    if (!value.has_value()) break;
    components.push_back(ComponentOf(*value));
  }
  if (components.empty()) return std::nullopt;
  if (components.size() == definition.paths.size()) {
    std::string epk = engine::EffectivePartitionKey(definition, components);
    return QueryRange{epk, epk};
  }
  if (definition.kind != engine::PartitionKeyKind::kMultiHash) return std::nullopt;
  engine::EpkRange range = engine::PrefixRange(definition, components);
  return QueryRange{std::move(range.min), std::move(range.max)};
}

// Everything.
std::vector<QueryRange> WholeRange() {
  engine::EpkRange whole = engine::WholeEpkSpace();
  return {{std::move(whole.min), std::move(whole.max)}};
}

// A point in the first partition, for a query that reads no items.
std::vector<QueryRange> FirstPlace() {
  return {QueryRange{}};
}

}  // namespace

std::vector<QueryRange> RangesOfKeys(std::span<const query::sql::FilteredKey> keys,
                                     const engine::PartitionKeyDefinition& definition) {
  if (keys.empty()) return FirstPlace();
  std::vector<QueryRange> ranges;
  for (const query::sql::FilteredKey& key : keys) {
    std::optional<QueryRange> range = RangeOfKey(key, definition);
    if (!range.has_value()) return WholeRange();
    ranges.push_back(*std::move(range));
  }
  // If two begin together, the longer one comes first and absorbs the other.
  std::sort(ranges.begin(), ranges.end(),
            [](const QueryRange& a, const QueryRange& b) { return a.min != b.min ? a.min < b.min : a.max > b.max; });
  std::vector<QueryRange> merged;
  for (QueryRange& range : ranges) {
    if (!merged.empty() && (range.min < merged.back().max || range.min == merged.back().min)) {
      merged.back().max = std::max(merged.back().max, range.max);
    } else {
      merged.push_back(std::move(range));
    }
  }
  return merged;
}

std::vector<QueryRange> RangesOfQuery(const query::sql::Query& query, std::span<const query::sql::Parameter> parameters,
                                      const engine::PartitionKeyDefinition& definition) {
  // One row in all, rather than one for each partition.
  if (query.sources.empty()) return FirstPlace();
  if (definition.paths.empty()) return WholeRange();
  return RangesOfKeys(query::sql::KeysOfFilter(query, parameters, definition.paths), definition);
}

}  // namespace lapse::api::cosmos
