#include "query/exec/index/index_condition.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/partition/index/written_walk.h"
#include "query/exec/eval/evaluator.h"
#include "query/exec/index/composite_condition.h"
#include "query/exec/index/index_bounds.h"
#include "query/functions/earth_cells.h"

namespace lapse::query::exec {
namespace {

using Meaning = AddedProperties::Meaning;

bool Has(const CompositeUse& composite, const plan::Condition& condition) {
  return std::find(composite.conditions.begin(), composite.conditions.end(), &condition) != composite.conditions.end();
}

bool IsNumberText(const plan::Path& path, const KnownPaths& known) {
  return path.size() == 1 && known.added.MeaningOf(path.front().name) == Meaning::kNumber;
}

std::vector<engine::PathStep> StepsOf(const plan::Path& path) {
  std::vector<engine::PathStep> steps;
  steps.reserve(path.size());
  for (const plan::PathStep& step : path) steps.push_back({std::string(step.name), step.into_elements});
  return steps;
}

// Returns the cells of a spatial condition. Returns none if they would be all cells, or if the operand is not a
// geometry.
std::vector<CellRange> CellsOf(const plan::Condition& condition) {
  Evaluator evaluator(0, EvalSettings{});
  const Value value = evaluator.Evaluate(*condition.geometry);
  PreparedGeometry geometry;
  if (!PrepareGeometry(value, &evaluator.arena(), &geometry)) return {};
  const std::vector<EarthCell> cells = CellsAround(geometry, condition.distance_m, kCellsOfQuery);
  const auto is_face = [](const EarthCell& cell) { return cell.level == 0; };
  if (std::count_if(cells.begin(), cells.end(), is_face) == EarthCell::kFaces) return {};
  return RangesAround(cells);
}

class Finder {
 public:
  explicit Finder(const KnownPaths& known) : known_(known) {}

  std::optional<IndexCondition> Find(const plan::Condition& condition) const {
    switch (condition.kind) {
      case plan::Condition::Kind::kEverything: return std::nullopt;
      case plan::Condition::Kind::kPath: return FindEntries(condition);
      case plan::Condition::Kind::kNear: return FindCells(condition);
      case plan::Condition::Kind::kAll: return FindAll(condition);
      case plan::Condition::Kind::kAny: return FindAny(condition);
    }
    return std::nullopt;
  }

 private:
  std::optional<IndexCondition> FindEntries(const plan::Condition& condition) const {
    if (IsNumberText(condition.path, known_)) return FindNumbers(condition);
    const IndexedPath path = FindInIndex(condition.path, known_);
    const bool with_undefined = condition.ranges.front().from.type == plan::ValueType::kUndefined;
    if (!path.coverage.values || (with_undefined && !path.coverage.undefined)) return std::nullopt;
    IndexCondition found;
    found.path = condition.path;
    found.exact = condition.exact;
    found.finds_left_out = path.number == engine::kWrittenPath;
    for (const plan::ValueRange& range : condition.ranges) {
      EntryBounds bounds = BoundsOf(range);
      found.exact &= bounds.exact;
      // Two long values may begin with the same bytes.
      if (!found.ranges.empty() && bounds.lower <= found.ranges.back().upper) {
        found.ranges.back().upper = std::max(found.ranges.back().upper, bounds.upper);
        found.ranges.back().one_value = false;
        continue;
      }
      engine::IndexRange& added = found.ranges.emplace_back();
      added.path = path.number;
      added.lower = std::move(bounds.lower);
      added.upper = std::move(bounds.upper);
      added.any_order = true;
      added.one_value = bounds.exact && path.number != engine::kWrittenPath && plan::PointOf(range).has_value();
    }
    return found;
  }

  // Cells cover more than the area within the distance.
  std::optional<IndexCondition> FindCells(const plan::Condition& condition) const {
    if (!HasCells(condition.path, known_)) return std::nullopt;
    const engine::PathNumber path = engine::PathOfMarks(engine::IndexedPaths::NumberOf(StepsOf(condition.path)));
    IndexCondition found;
    for (CellRange& range : CellsOf(condition)) {
      engine::IndexRange& added = found.ranges.emplace_back();
      added.path = path;
      added.lower = std::move(range.lower);
      added.upper = std::move(range.upper);
      added.any_order = true;
    }
    if (found.ranges.empty()) return std::nullopt;
    return found;
  }

  // The texts are not in the order of the numbers, so only single texts can be looked up.
  std::optional<IndexCondition> FindNumbers(const plan::Condition& condition) const {
    IndexCondition found;
    found.kind = IndexCondition::Kind::kNumbers;
    found.finds_left_out = true;
    for (const plan::ValueRange& range : condition.ranges) {
      const std::optional<Value> text = plan::PointOf(range);
      if (!text.has_value()) return std::nullopt;
      if (!text->IsString()) continue;
      const std::optional<engine::ItemNumber> number = known_.added.NumberOf(text->AsString());
      if (number.has_value()) found.numbers.push_back(*number);
    }
    std::sort(found.numbers.begin(), found.numbers.end());
    return found;
  }

  std::optional<IndexCondition> FindAll(const plan::Condition& condition) const {
    IndexCondition all;
    all.kind = IndexCondition::Kind::kAll;
    all.exact = condition.exact;
    all.finds_left_out = true;
    std::optional<CompositeUse> composite;
    if (known_.composites) composite = FindComposite(condition.parts, known_);
    if (composite.has_value()) {
      all.parts.push_back(EntriesOf(*composite));
      all.exact &= all.parts.front().exact;
      all.finds_left_out = false;
    }
    for (const plan::Condition& part : condition.parts) {
      if (composite.has_value() && Has(*composite, part)) continue;
      std::optional<IndexCondition> found = Find(part);
      all.exact &= found.has_value() && found->exact;
      if (!found.has_value()) continue;
      all.finds_left_out &= found->finds_left_out;
      all.parts.push_back(std::move(*found));
    }
    if (all.parts.empty()) return std::nullopt;
    if (all.parts.size() > 1) return all;
    all.parts.front().exact = all.exact;
    return std::move(all.parts.front());
  }

  std::optional<IndexCondition> FindAny(const plan::Condition& condition) const {
    IndexCondition any;
    any.kind = IndexCondition::Kind::kAny;
    any.exact = condition.exact;
    any.finds_left_out = true;
    for (const plan::Condition& part : condition.parts) {
      std::optional<IndexCondition> found = Find(part);
      if (!found.has_value()) return std::nullopt;
      any.exact &= found->exact;
      any.finds_left_out &= found->finds_left_out;
      any.parts.push_back(std::move(*found));
    }
    return any;
  }

  const KnownPaths& known_;
};

}  // namespace

std::optional<IndexCondition> FindInIndex(const plan::Condition& condition, const KnownPaths& known) {
  return Finder(known).Find(condition);
}

IndexedPath FindInIndex(const plan::Path& path, const KnownPaths& known) {
  if (path.empty()) return {};
  const bool is_name = !path.front().into_elements;
  if (is_name && known.added.MeaningOf(path.front().name) == Meaning::kWriteSecond) {
    // Every item has an entry there.
    const bool has_entries = path.size() == 1 && known.write_order;
    return {engine::kWrittenPath, {.values = has_entries, .undefined = has_entries}};
  }
  if (is_name && !EntriesAreOf(path.front().name, known)) return {};
  const std::vector<engine::PathStep> steps = StepsOf(path);
  return {engine::IndexedPaths::NumberOf(steps), known.index.CoverageOf(steps)};
}

bool EntriesAreOf(std::string_view name, const KnownPaths& known) {
  const Meaning meaning = known.added.MeaningOf(name);
  if (meaning != Meaning::kNotAdded && meaning != Meaning::kComputed) return false;
  return known.added.IsMadeBy(name, known.index.RuleOf(name));
}

bool HasCells(const plan::Path& path, const KnownPaths& known) {
  if (path.empty() || path.front().into_elements || !EntriesAreOf(path.front().name, known)) return false;
  return known.index.MarkRuleAt(StepsOf(path)) == kCellsRule;
}

}  // namespace lapse::query::exec
