#include "query/exec/index_condition.h"

#include <algorithm>
#include <string>
#include <utility>

#include "query/exec/index_bounds.h"

namespace lapse::query::exec {
namespace {

using Kind = IndexCondition::Kind;

class Finder {
 public:
  Finder(const engine::IndexedPaths& index, const IsAddedName& is_added) : index_(index), is_added_(is_added) {}

  std::optional<IndexCondition> Find(const plan::Condition& condition) const {
    switch (condition.kind) {
      case plan::Condition::Kind::kEverything: return std::nullopt;
      case plan::Condition::Kind::kPath: return FindEntries(condition);
      case plan::Condition::Kind::kAll: return FindAll(condition);
      case plan::Condition::Kind::kAny: return FindAny(condition);
    }
    return std::nullopt;
  }

 private:
  std::optional<IndexCondition> FindEntries(const plan::Condition& condition) const {
    const IndexedPath path = FindInIndex(condition.path, index_, is_added_);
    const bool with_undefined = condition.ranges.front().from.type == plan::ValueType::kUndefined;
    if (!path.coverage.values || (with_undefined && !path.coverage.undefined)) return std::nullopt;
    IndexCondition found;
    found.path = condition.path;
    found.exact = condition.exact;
    for (const plan::ValueRange& range : condition.ranges) {
      EntryBounds bounds = BoundsOf(range);
      found.exact &= bounds.exact;
      // Two long values may begin with the same bytes.
      if (!found.ranges.empty() && bounds.lower <= found.ranges.back().upper) {
        found.ranges.back().upper = std::max(found.ranges.back().upper, bounds.upper);
        continue;
      }
      engine::IndexRange& added = found.ranges.emplace_back();
      added.path = path.number;
      added.lower = std::move(bounds.lower);
      added.upper = std::move(bounds.upper);
    }
    return found;
  }

  std::optional<IndexCondition> FindAll(const plan::Condition& condition) const {
    IndexCondition all;
    all.kind = Kind::kAll;
    all.exact = condition.exact;
    for (const plan::Condition& part : condition.parts) {
      std::optional<IndexCondition> found = Find(part);
      all.exact &= found.has_value() && found->exact;
      if (found.has_value()) all.parts.push_back(std::move(*found));
    }
    if (all.parts.empty()) return std::nullopt;
    if (all.parts.size() > 1) return all;
    all.parts.front().exact = all.exact;
    return std::move(all.parts.front());
  }

  std::optional<IndexCondition> FindAny(const plan::Condition& condition) const {
    IndexCondition any;
    any.kind = Kind::kAny;
    any.exact = condition.exact;
    for (const plan::Condition& part : condition.parts) {
      std::optional<IndexCondition> found = Find(part);
      if (!found.has_value()) return std::nullopt;
      any.exact &= found->exact;
      any.parts.push_back(std::move(*found));
    }
    return any;
  }

  const engine::IndexedPaths& index_;
  const IsAddedName& is_added_;
};

}  // namespace

std::optional<IndexCondition> FindInIndex(const plan::Condition& condition, const engine::IndexedPaths& index,
                                          const IsAddedName& is_added) {
  return Finder(index, is_added).Find(condition);
}

IndexedPath FindInIndex(const plan::Path& path, const engine::IndexedPaths& index, const IsAddedName& is_added) {
  if (path.empty() || is_added(path.front().name)) return {};
  std::vector<engine::PathStep> steps;
  steps.reserve(path.size());
  for (const plan::PathStep& step : path) steps.push_back({std::string(step.name), step.into_elements});
  return {engine::IndexedPaths::NumberOf(steps), index.CoverageOf(steps)};
}

}  // namespace lapse::query::exec
