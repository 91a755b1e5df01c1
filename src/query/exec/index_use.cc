#include "query/exec/index_use.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "doc/json.h"

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

class Collector {
 public:
  Collector(const engine::IndexedPaths* index, const IsAddedName& is_added) : index_(index), is_added_(is_added) {}

  void Add(const plan::Condition& condition) {
    if (condition.kind == plan::Condition::Kind::kPath) AddPath(condition.path);
    for (const plan::Condition& part : condition.parts) Add(part);
  }

  void AddPath(const plan::Path& path) {
    if (path.empty() || is_added_(path.front().name)) return;
    const bool indexed = index_ != nullptr && FindInIndex(path, *index_, is_added_).coverage.values;
    (indexed ? utilized_ : potential_).insert(TextOf(path) + "/?");
  }

  IndexUse Take() const { return {{utilized_.begin(), utilized_.end()}, {potential_.begin(), potential_.end()}, {}}; }

 private:
  const engine::IndexedPaths* const index_;
  const IsAddedName& is_added_;
  std::set<std::string> utilized_;
  std::set<std::string> potential_;
};

}  // namespace

IndexUse UseOf(const plan::Condition& condition, const PageShape& shape, const engine::IndexedPaths* index,
               const IsAddedName& is_added) {
  Collector collector(index, is_added);
  collector.Add(condition);
  std::vector<std::string> parts;
  for (const OrderKey& key : shape.order) {
    const std::optional<plan::Path> path =
        key.expression == nullptr ? std::nullopt : plan::PathOf(*key.expression, shape.rows);
    if (!path.has_value()) continue;
    // Several keys have a composite index, or the query is refused.
    if (shape.order.size() == 1) {
      collector.AddPath(*path);
    } else {
      parts.push_back(TextOf(*path) + (key.descending ? " DESC" : " ASC"));
    }
  }
  IndexUse use = collector.Take();
  if (!parts.empty() && index != nullptr) use.utilized_composites.push_back(std::move(parts));
  return use;
}

}  // namespace lapse::query::exec
