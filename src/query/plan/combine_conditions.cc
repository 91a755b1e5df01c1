#include "query/plan/combine_conditions.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace lapse::query::plan {

Condition Everything(bool exact) {
  Condition condition;
  condition.exact = exact;
  return condition;
}

Condition Unknown() {
  return Everything(false);
}

Condition Nothing() {
  Condition condition;
  condition.kind = Condition::Kind::kAny;
  condition.exact = true;
  return condition;
}

bool HasElements(const Path& path) {
  return std::any_of(path.begin(), path.end(), [](const PathStep& step) { return step.into_elements; });
}

Condition AtPath(Path path, std::vector<ValueRange> ranges, bool exact) {
  Condition condition;
  condition.kind = Condition::Kind::kPath;
  condition.path = std::move(path);
  condition.ranges = Joined(std::move(ranges));
  condition.exact = exact;
  return condition.ranges.empty() ? Nothing() : condition;
}

Condition All(std::vector<Condition> given) {
  Condition all;
  all.kind = Condition::Kind::kAll;
  all.exact = true;
  std::vector<Condition> open(std::make_move_iterator(given.rbegin()), std::make_move_iterator(given.rend()));
  while (!open.empty()) {
    Condition part = std::move(open.back());
    open.pop_back();
    if (part.IsNothing()) return Nothing();
    all.exact &= part.exact;
    if (part.kind == Condition::Kind::kEverything) continue;
    if (part.kind == Condition::Kind::kAll) {
      std::move(part.parts.rbegin(), part.parts.rend(), std::back_inserter(open));
      continue;
    }
    const auto same = std::find_if(all.parts.begin(), all.parts.end(), [&](const Condition& one) {
      return one.kind == Condition::Kind::kPath && part.kind == Condition::Kind::kPath && one.path == part.path;
    });
    if (same == all.parts.end() || HasElements(part.path)) {
      all.parts.push_back(std::move(part));
      continue;
    }
    same->ranges = Intersection(same->ranges, part.ranges);
    same->exact &= part.exact;
    same->implied &= part.implied;
    if (same->ranges.empty()) return Nothing();
  }
  if (all.parts.empty()) return Everything(all.exact);
  if (all.parts.size() == 1) {
    Condition one = std::move(all.parts.front());
    one.exact &= all.exact;
    return one;
  }
  return all;
}

Condition Any(std::vector<Condition> given) {
  Condition any;
  any.kind = Condition::Kind::kAny;
  any.exact = true;
  // Each path is joined once, however many alternatives there are.
  std::map<Path, std::pair<size_t, std::vector<ValueRange>>> by_path;
  for (Condition& part : given) {
    if (part.kind == Condition::Kind::kEverything) return Everything(part.exact);
    any.exact &= part.exact;
    std::vector<Condition> parts;
    if (part.kind == Condition::Kind::kAny) {
      parts = std::move(part.parts);
    } else {
      parts.push_back(std::move(part));
    }
    for (Condition& one : parts) {
      if (one.kind != Condition::Kind::kPath) {
        any.parts.push_back(std::move(one));
        continue;
      }
      auto [place, is_new] = by_path.try_emplace(one.path);
      if (is_new) {
        place->second.first = any.parts.size();
        any.parts.push_back(one);
      }
      any.parts[place->second.first].exact &= one.exact;
      place->second.second.insert(place->second.second.end(), one.ranges.begin(), one.ranges.end());
    }
  }
  for (auto& [path, joined] : by_path) any.parts[joined.first].ranges = Joined(std::move(joined.second));
  if (any.parts.size() == 1) {
    Condition one = std::move(any.parts.front());
    one.exact &= any.exact;
    return one;
  }
  return any;
}

bool HasImplied(const Condition& condition) {
  return condition.implied || std::any_of(condition.parts.begin(), condition.parts.end(),
                                          [](const Condition& part) { return part.implied; });
}

Condition WithoutImplied(const Condition& condition) {
  if (condition.implied) return Everything(false);
  if (condition.kind != Condition::Kind::kAll) return condition;
  std::vector<Condition> parts;
  std::copy_if(condition.parts.begin(), condition.parts.end(), std::back_inserter(parts),
               [](const Condition& part) { return !part.implied; });
  return All(std::move(parts));
}

}  // namespace lapse::query::plan
