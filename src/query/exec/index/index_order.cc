#include "query/exec/index/index_order.h"

#include <algorithm>

#include "engine/records/index/index_value.h"
#include "query/exec/index/index_bounds.h"
#include "query/plan/condition.h"

namespace lapse::query::exec {
namespace {

using Direction = engine::IndexRange::Direction;
using engine::IndexingDefinition;

// Returns the path of the key if it consists of names only.
std::optional<plan::Path> NamesOf(const OrderKey& key, const plan::Operator* rows) {
  if (key.expression == nullptr) return std::nullopt;
  std::optional<plan::Path> path = plan::PathOf(*key.expression, rows);
  if (!path.has_value() || path->empty()) return std::nullopt;
  for (const plan::PathStep& step : *path) {
    if (step.into_elements) return std::nullopt;
  }
  return path;
}

bool IsSame(const plan::Path& path, const std::vector<std::string>& names) {
  return std::equal(path.begin(), path.end(), names.begin(), names.end(),
                    [](const plan::PathStep& step, const std::string& name) { return step.name == name; });
}

// Returns the direction in which a composite index has these keys: forwards, or with all of them reversed. Nullopt: it
// does not have them.
std::optional<Direction> DirectionIn(const IndexingDefinition::Composite& composite,
                                     const std::vector<plan::Path>& keys, const std::vector<OrderKey>& order) {
  if (composite.size() != keys.size()) return std::nullopt;
  const bool backward = composite.front().descending != order.front().descending;
  for (size_t i = 0; i < keys.size(); ++i) {
    const bool turned = composite[i].descending != order[i].descending;
    if (turned != backward || !IsSame(keys[i], composite[i].names)) return std::nullopt;
  }
  return backward ? Direction::kBackward : Direction::kForward;
}

}  // namespace

std::optional<IndexOrder> IndexOrder::Find(const PageShape& shape, bool with_undefined, const KnownPaths& known) {
  std::vector<plan::Path> keys;
  for (const OrderKey& key : shape.order) {
    std::optional<plan::Path> path = NamesOf(key, shape.rows);
    // A single path is checked below.
    const bool is_known = path.has_value() && (shape.order.size() == 1 || EntriesAreOf(path->front().name, known));
    if (!is_known) return std::nullopt;
    keys.push_back(std::move(*path));
  }
  if (keys.empty()) return std::nullopt;
  IndexOrder order;
  if (keys.size() == 1) {
    const IndexedPath path = FindInIndex(keys.front(), known);
    if (!path.coverage.values || (with_undefined && !path.coverage.undefined)) return std::nullopt;
    order.path_ = path.number;
    order.direction_ = shape.order.front().descending ? Direction::kBackward : Direction::kForward;
    order.inverted_ = {false};
    // If several rows count as one, the page shows that of the first item, so it has to see all of them.
    order.ties_fit_ = !shape.keys_decide;
    return order;
  }
  for (const engine::IndexedPaths::Composite& composite : known.index.composites()) {
    const std::optional<Direction> direction = DirectionIn(composite.paths, keys, shape.order);
    if (!direction.has_value()) continue;
    order.path_ = composite.number;
    order.direction_ = *direction;
    for (const IndexingDefinition::CompositePath& path : composite.paths) order.inverted_.push_back(path.descending);
    order.ties_fit_ = !shape.keys_decide && order.backward() == shape.order.front().descending;
    return order;
  }
  return std::nullopt;
}

IndexOrder IndexOrder::By(const engine::PathNumber& number, bool backward) {
  IndexOrder order;
  order.path_ = number;
  order.direction_ = backward ? Direction::kBackward : Direction::kForward;
  order.inverted_ = {false};
  return order;
}

IndexOrder::Prefix IndexOrder::PrefixOf(std::span<const Value> keys) const {
  Prefix prefix;
  prefix.exact = ties_fit_;
  for (size_t i = 0; i < keys.size(); ++i) {
    const size_t from = prefix.bytes.size();
    const bool in_full = PutEntryValue(keys[i], &prefix.bytes);
    if (inverted_[i]) engine::InvertBytes(&prefix.bytes, from);
    if (in_full) continue;
    // Entries with the same cut string are in the order of the next key, whatever the rest of the string is.
    prefix.exact = false;
    break;
  }
  return prefix;
}

}  // namespace lapse::query::exec
