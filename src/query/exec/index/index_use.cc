#include "query/exec/index/index_use.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "doc/json.h"
#include "query/exec/index/aggregates_of_all.h"
#include "query/exec/index/composite_condition.h"

namespace lapse::query::exec {
namespace {

bool IsPlainName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c >= 0x80;
  });
}

std::string TextOf(const plan::Path& path) {
  std::string text;
  for (const plan::PathStep& step : path) {
    text += "/";
    if (step.into_elements) {
      text += "[]";
    } else if (IsPlainName(step.name)) {
      text += step.name;
    } else {
      doc::StringToJson(step.name, &text);
    }
  }
  return text;
}

std::string_view DirectionText(bool descending) {
  return descending ? " DESC" : " ASC";
}

class Collector {
 public:
  Collector(const engine::IndexedPaths* index, const AddedProperties& added) : index_(index), added_(added) {}

  void Add(const plan::Condition& condition) {
    // If one alternative is not in the index, all items have to be read.
    const bool was_of_use = is_of_use_;
    if (condition.kind == plan::Condition::Kind::kAny && index_ != nullptr) {
      is_of_use_ &= FindInIndex(condition, KnownPaths{*index_, added_}).has_value();
    }
    AddParts(condition);
    is_of_use_ = was_of_use;
  }

  void AddParts(const plan::Condition& condition) {
    if (condition.kind == plan::Condition::Kind::kPath) AddPath(condition.path);
    if (condition.kind == plan::Condition::Kind::kNear) AddPlaces(condition.path);
    std::optional<CompositeUse> composite;
    if (condition.kind == plan::Condition::Kind::kAll && index_ != nullptr) {
      composite = FindComposite(condition.parts, KnownPaths{*index_, added_});
    }
    if (composite.has_value() && is_of_use_) AddComposite(composite->composite->paths);
    for (const plan::Condition& part : condition.parts) {
      const bool is_in_composite =
          composite.has_value() &&
          std::find(composite->conditions.begin(), composite->conditions.end(), &part) != composite->conditions.end();
      if (!is_in_composite) Add(part);
    }
  }

  void AddComposite(const engine::IndexingDefinition::Composite& composite) {
    std::vector<std::string> parts;
    for (const engine::IndexingDefinition::CompositePath& path : composite) {
      plan::Path steps;
      for (const std::string& name : path.names) steps.push_back({name, false});
      parts.push_back(TextOf(steps).append(DirectionText(path.descending)));
    }
    composites_.insert(std::move(parts));
  }
  void AddComposite(std::vector<std::string> parts) { composites_.insert(std::move(parts)); }

  // Adds paths of a spatial index.
  void AddPlaces(const plan::Path& path) {
    if (path.empty() || !CanBeNamed(path)) return;
    const bool indexed = index_ != nullptr && HasCells(path, KnownPaths{*index_, added_});
    const std::string text = TextOf(path) + "/?";
    if (!indexed) {
      potential_.insert(text);
    } else if (is_of_use_) {
      utilized_.insert(text);
      spatial_.insert(text);
    }
  }

  void AddPath(const plan::Path& path) {
    if (path.empty()) return;
    const bool is_number = path.size() == 1 && added_.MeaningOf(path.front().name) == AddedProperties::Meaning::kNumber;
    const bool indexed =
        index_ != nullptr && (is_number || FindInIndex(path, KnownPaths{*index_, added_}).coverage.values);
    if (!CanBeNamed(path) && !indexed) return;
    if (!indexed || is_of_use_) (indexed ? utilized_ : potential_).insert(TextOf(path) + "/?");
  }

  IndexUse Take() const {
    return {{utilized_.begin(), utilized_.end()},
            {potential_.begin(), potential_.end()},
            {composites_.begin(), composites_.end()},
            {spatial_.begin(), spatial_.end()}};
  }

 private:
  // A policy cannot name an added property, but it can name a computed one.
  bool CanBeNamed(const plan::Path& path) const {
    const AddedProperties::Meaning meaning = added_.MeaningOf(path.front().name);
    return meaning == AddedProperties::Meaning::kNotAdded || meaning == AddedProperties::Meaning::kComputed;
  }

  const engine::IndexedPaths* const index_;
  const AddedProperties& added_;
  bool is_of_use_ = true;  // the index answers every alternative around this part
  std::set<std::string> utilized_;
  std::set<std::string> potential_;
  std::set<std::vector<std::string>> composites_;
  std::set<std::string> spatial_;
};

}  // namespace

IndexUse UseOf(const plan::ScanCondition& scan, const PageShape& shape, const engine::IndexedPaths* index,
               const AddedProperties& added) {
  Collector collector(index, added);
  collector.Add(plan::WithoutImplied(scan.condition));
  const std::optional<Extreme> extreme = ExtremeOf(shape, scan);
  if (extreme.has_value() && scan.condition.kind == plan::Condition::Kind::kEverything && scan.condition.exact) {
    collector.AddPath(extreme->path);
  }
  std::vector<std::string> parts;
  for (const OrderKey& key : shape.order) {
    const std::optional<plan::Path> path =
        key.expression == nullptr ? std::nullopt : plan::PathOf(*key.expression, shape.rows);
    if (!path.has_value()) continue;
    // An order by several keys has a composite index, or the query is refused.
    if (shape.order.size() == 1) {
      collector.AddPath(*path);
    } else {
      parts.push_back(TextOf(*path).append(DirectionText(key.descending)));
    }
  }
  if (!parts.empty() && index != nullptr) collector.AddComposite(std::move(parts));
  return collector.Take();
}

}  // namespace lapse::query::exec
