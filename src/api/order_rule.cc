#include "api/order_rule.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "query/plan/condition.h"

namespace lapse::api {
namespace {

using engine::IndexingDefinition;
using query::exec::AddedProperties;
using query::exec::OrderKey;
using query::exec::PageShape;
namespace plan = query::plan;

// Returns how many array elements the expression selects by number.
size_t PickedElements(const plan::Expression& expression) {
  size_t picked = 0;
  for (const plan::Expression* at = &expression;; at = at->children[0]) {
    if (at->kind == plan::ExpressionKind::kElement) {
      ++picked;
    } else if (at->kind != plan::ExpressionKind::kProperty) {
      return picked;
    }
  }
}

// Returns the names on the path from an item to the value, also through an alias of a path. Returns nullopt if the
// expression is not a path in an item, or if a row is one element of an array.
std::optional<std::vector<std::string_view>> NamesOf(const plan::Expression& expression, const plan::Operator* rows) {
  const std::optional<plan::Path> path = plan::PathOf(expression, rows);
  if (!path.has_value() || path->empty()) return std::nullopt;
  std::vector<std::string_view> names;
  size_t elements = 0;
  for (const plan::PathStep& step : *path) {
    elements += step.into_elements ? 1 : 0;
    names.push_back(step.into_elements ? IndexingDefinition::kElement : step.name);
  }
  if (elements != PickedElements(expression)) return std::nullopt;
  return names;
}

// The id and the system's properties are always present and always indexed, whatever the paths say.
bool IsAlwaysIndexed(const std::vector<std::string_view>& path) {
  return path.front() == "id" || path.front().starts_with('_');
}

bool BeginsWith(const std::vector<std::string_view>& path, const std::vector<std::string>& names) {
  return names.size() <= path.size() && std::equal(names.begin(), names.end(), path.begin());
}

// Returns the path of the definition that decides: the longest that matches, and of two the one that names the value
// itself.
const IndexingDefinition::Path* Deciding(const IndexingDefinition& indexing, const std::vector<std::string_view>& path,
                                         bool is_computed) {
  const IndexingDefinition::Path* deciding = nullptr;
  for (const IndexingDefinition::Path& one : indexing.paths) {
    if (is_computed && one.names.empty()) continue;  // the path of everything does not cover computed properties
    const bool fits =
        one.one_value ? one.names.size() == path.size() && BeginsWith(path, one.names) : BeginsWith(path, one.names);
    if (!fits) continue;
    const bool longer = deciding == nullptr || one.names.size() > deciding->names.size() ||
                        (one.names.size() == deciding->names.size() && one.one_value);
    if (longer) deciding = &one;
  }
  return deciding;
}

// Whether the index provides an order by these paths.
bool HasOrder(const IndexingDefinition::Composite& composite, const std::vector<std::vector<std::string_view>>& paths,
              const std::vector<OrderKey>& order) {
  if (composite.size() != paths.size()) return false;
  const bool reversed = composite.front().descending != order.front().descending;
  for (size_t i = 0; i < paths.size(); ++i) {
    const bool same_path = paths[i].size() == composite[i].names.size() && BeginsWith(paths[i], composite[i].names);
    if (!same_path || (composite[i].descending != order[i].descending) != reversed) return false;
  }
  return true;
}

Status CheckComposite(const PageShape& shape, const IndexingDefinition& indexing) {
  std::vector<std::vector<std::string_view>> paths;
  for (const OrderKey& key : shape.order) {
    auto path = key.expression == nullptr ? std::nullopt : NamesOf(*key.expression, shape.rows);
    // Groups, distinct results and distances have an order without an index.
    if (!path.has_value()) return Status::Ok();
    paths.push_back(std::move(*path));
  }
  const bool found = std::any_of(indexing.composites.begin(), indexing.composites.end(),
                                 [&](const auto& composite) { return HasOrder(composite, paths, shape.order); });
  if (found) return Status::Ok();
  return {
      Code::kInvalidArgument,
      R"({"Errors":["The order by query does not have a corresponding composite index that it can be served from."]})"};
}

}  // namespace

Result<bool> LeavesOutUndefined(const query::exec::PageShape& shape, const engine::IndexingDefinition& indexing,
                                const query::exec::AddedProperties& added) {
  if (shape.order.size() > 1) {
    LAPSE_RETURN_IF_ERROR(CheckComposite(shape, indexing));
    return false;
  }
  if (shape.order.size() != 1 || shape.order[0].expression == nullptr) return false;
  const auto path = NamesOf(*shape.order[0].expression, shape.rows);
  if (!path.has_value()) return false;
  const bool indexes = !indexing.paths.empty();
  if (indexes && IsAlwaysIndexed(*path)) return false;
  const bool is_computed = added.MeaningOf(path->front()) == AddedProperties::Meaning::kComputed;
  const engine::IndexingDefinition::Path* const deciding = Deciding(indexing, *path, is_computed);
  if (deciding == nullptr || !deciding->indexed) {
    return Status(Code::kInvalidArgument,
                  R"({"Errors":["The index path corresponding to the specified order-by item is excluded."]})");
  }
  return !deciding->one_value;
}

}  // namespace lapse::api
