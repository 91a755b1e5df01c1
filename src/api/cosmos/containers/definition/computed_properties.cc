#include "api/cosmos/containers/definition/computed_properties.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "api/cosmos/wire/request_body.h"
#include "api/cosmos/wire/system_properties.h"
#include "api/invalid.h"
#include "doc/value.h"
#include "query/derive/item_derivation.h"
#include "query/sql/computed_property.h"

namespace lapse::api::cosmos {
namespace {

constexpr size_t kComputedPropertiesMax = 20;

Status CheckName(std::string_view name, const engine::PartitionKeyDefinition& partition_key) {
  if (name.empty()) return Invalid("The name of a computed property must not be empty");
  for (const doc::Path& path : partition_key.paths) {
    if (path.names().front() != name) continue;
    return Invalid("A computed property must not have the name of the partition key: '" + std::string(name) + "'");
  }
  if (name != "id" && !IsItemSystemName(name)) return Status::Ok();
  return Invalid("A computed property must not have the name of a system property: '" + std::string(name) + "'");
}

// Calls `take` with the name and the query of each, in a checked definition.
template <typename Take>
void ForEachComputed(std::string_view definition, const Take& take) {
  const doc::Value list = doc::Find(definition, "computedProperties");
  if (list.type() != doc::Type::kArray) return;
  doc::Reader reader(list.AsDocument());
  while (auto entry = reader.Next()) {
    if (entry->value.type() != doc::Type::kObject) continue;
    const doc::Value name = doc::Find(entry->value.AsDocument(), "name");
    const doc::Value query = doc::Find(entry->value.AsDocument(), "query");
    if (name.type() != doc::Type::kString || query.type() != doc::Type::kString) continue;
    take(name.AsString(), query.AsString());
  }
}

bool IsNamed(std::string_view name, const engine::IndexingDefinition& indexing) {
  using Definition = engine::IndexingDefinition;
  const auto begins = [name](const auto& path) { return !path.names.empty() && path.names.front() == name; };
  const auto includes = [&](const Definition::Path& path) { return path.indexed && begins(path); };
  return std::any_of(indexing.paths.begin(), indexing.paths.end(), includes) ||
         std::any_of(indexing.marked.begin(), indexing.marked.end(), begins) ||
         std::any_of(indexing.composites.begin(), indexing.composites.end(),
                     [&](const Definition::Composite& one) { return std::any_of(one.begin(), one.end(), begins); });
}

bool LooksAtDocumentAlone(std::string_view query) {
  const Result<query::plan::Plan> plan = query::sql::PlanComputedProperty(query);
  return plan.ok() && query::LooksAtDocumentAlone(*plan, [](std::string_view name) { return IsItemSystemName(name); });
}

}  // namespace

Status CheckComputedProperties(std::string_view definition, const engine::PartitionKeyDefinition& partition_key) {
  const doc::Value list = doc::Find(definition, "computedProperties");
  if (IsAbsent(list)) return Status::Ok();
  if (list.type() != doc::Type::kArray) return Invalid("computedProperties must be an array");
  std::set<std::string_view> names;
  doc::Reader reader(list.AsDocument());
  while (auto entry = reader.Next()) {
    if (names.size() == kComputedPropertiesMax) return Invalid("A container may have 20 computed properties");
    const bool is_object = entry->value.type() == doc::Type::kObject;
    const doc::Value name = is_object ? doc::Find(entry->value.AsDocument(), "name") : doc::Value();
    const doc::Value query = is_object ? doc::Find(entry->value.AsDocument(), "query") : doc::Value();
    if (name.type() != doc::Type::kString || query.type() != doc::Type::kString) {
      return Invalid("A computed property must be an object with a name and a query");
    }
    LAPSE_RETURN_IF_ERROR(CheckName(name.AsString(), partition_key));
    if (!names.insert(name.AsString()).second) {
      return Invalid("The computed property '" + std::string(name.AsString()) + "' is given more than once");
    }
    LAPSE_RETURN_IF_ERROR(query::sql::PlanComputedProperty(query.AsString()).status());
  }
  return Status::Ok();
}

void IndexComputed(std::string_view definition, engine::IndexingDefinition* indexing) {
  ForEachComputed(definition, [indexing](std::string_view name, std::string_view query) {
    if (!IsNamed(name, *indexing) || !LooksAtDocumentAlone(query)) return;
    indexing->derived.push_back({std::string(name), query::RuleOfComputed(query)});
  });
}

void DefineComputed(std::string_view definition, query::exec::ComputedValues* computed) {
  ForEachComputed(definition, [computed](std::string_view name, std::string_view text) {
    computed->Define(
        name, [text] { return query::sql::PlanComputedProperty(text); }, text);
  });
}

}  // namespace lapse::api::cosmos
