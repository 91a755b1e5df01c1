#include "query/exec/index/composite_condition.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/records/ids/key_bytes.h"
#include "engine/records/index/index_value.h"
#include "query/exec/index/index_bounds.h"

namespace lapse::query::exec {
namespace {

using CompositePath = engine::IndexingDefinition::CompositePath;

// At most this many combinations of equal values, each of which is a range of its own.
constexpr size_t kCombinationsMax = 32;

bool IsAt(const std::vector<std::string>& names, const plan::Path& path) {
  return std::equal(
      names.begin(), names.end(), path.begin(), path.end(),
      [](const std::string& name, const plan::PathStep& step) { return !step.into_elements && step.name == name; });
}

// Arrays, objects and missing values are indistinguishable in a composite index.
bool AreSingleValues(const plan::ValueRanges& ranges) {
  return ranges.front().from.type >= plan::ValueType::kNull && ranges.back().to.type <= plan::ValueType::kString;
}

bool AreEqualities(const plan::ValueRanges& ranges) {
  return std::all_of(ranges.begin(), ranges.end(), [](const auto& range) { return plan::PointOf(range).has_value(); });
}

const plan::Condition* FindAt(const std::vector<std::string>& names, std::span<const plan::Condition> conditions,
                              const KnownPaths& known) {
  if (!EntriesAreOf(names.front(), known)) return nullptr;
  for (const plan::Condition& one : conditions) {
    const bool fits = one.kind == plan::Condition::Kind::kPath && IsAt(names, one.path) && AreSingleValues(one.ranges);
    if (fits) return &one;
  }
  return nullptr;
}

CompositeUse UseOf(const engine::IndexedPaths::Composite& composite, std::span<const plan::Condition> conditions,
                   const KnownPaths& known) {
  CompositeUse use{&composite, {}};
  size_t combinations = 1;
  for (const CompositePath& path : composite.paths) {
    const plan::Condition* const found = FindAt(path.names, conditions, known);
    if (found == nullptr || combinations * found->ranges.size() > kCombinationsMax) break;
    use.conditions.push_back(found);
    combinations *= found->ranges.size();
    if (!AreEqualities(found->ranges)) break;
  }
  return use;
}

// The bounds of one part of an entry, whatever follows that part.
EntryBounds BoundsIn(const CompositePath& path, const plan::ValueRange& range) {
  EntryBounds bounds = BoundsOf(range);
  if (!path.descending) return bounds;
  // No value is a prefix of another one. So everything not before a bound is, once inverted, before the end of the
  // entries that begin with the inverted bound.
  engine::InvertBytes(&bounds.lower, 0);
  engine::InvertBytes(&bounds.upper, 0);
  std::string lower = PrefixEnd(bounds.upper);
  bounds.upper = PrefixEnd(bounds.lower);
  bounds.lower = std::move(lower);
  return bounds;
}

// Appends the value to each prefix. Returns false if the bytes do not determine the value.
bool PutValue(const CompositePath& path, Value value, std::string* beginning) {
  const size_t from = beginning->size();
  const bool in_full = PutEntryValue(value, beginning);
  if (path.descending) engine::InvertBytes(beginning, from);
  return in_full;
}

}  // namespace

std::optional<CompositeUse> FindComposite(std::span<const plan::Condition> conditions, const KnownPaths& known) {
  std::optional<CompositeUse> best;
  for (const engine::IndexedPaths::Composite& composite : known.index.composites()) {
    CompositeUse use = UseOf(composite, conditions, known);
    const size_t enough = best.has_value() ? best->conditions.size() + 1 : 2;
    if (use.conditions.size() >= enough) best = std::move(use);
  }
  return best;
}

IndexCondition EntriesOf(const CompositeUse& use) {
  IndexCondition found;
  found.exact = true;
  std::vector<std::string> beginnings(1);
  std::vector<engine::IndexRange> ranges;
  for (size_t i = 0; i < use.conditions.size(); ++i) {
    const CompositePath& path = use.composite->paths[i];
    const plan::Condition& condition = *use.conditions[i];
    found.exact &= condition.exact;
    const bool is_last = i + 1 == use.conditions.size();
    std::vector<std::string> longer;
    for (const std::string& beginning : beginnings) {
      for (const plan::ValueRange& range : condition.ranges) {
        if (!is_last) {
          longer.push_back(beginning);
          found.exact &= PutValue(path, *plan::PointOf(range), &longer.back());
          continue;
        }
        const EntryBounds bounds = BoundsIn(path, range);
        found.exact &= bounds.exact;
        engine::IndexRange& added = ranges.emplace_back();
        added.lower = beginning + bounds.lower;
        added.upper = beginning + bounds.upper;
      }
    }
    beginnings = std::move(longer);
  }
  std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.lower < b.lower; });
  for (engine::IndexRange& range : ranges) {
    // Two long values may begin with the same bytes.
    if (!found.ranges.empty() && range.lower <= found.ranges.back().upper) {
      found.ranges.back().upper = std::max(found.ranges.back().upper, range.upper);
      continue;
    }
    range.path = use.composite->number;
    range.any_order = true;
    found.ranges.push_back(std::move(range));
  }
  return found;
}

}  // namespace lapse::query::exec
