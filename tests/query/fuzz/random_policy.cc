#include "tests/query/fuzz/random_policy.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "query/sql/parse.h"

namespace lapse::query_tests {
namespace {

struct KnownPath {
  std::string_view text;
  std::vector<std::string> names;
  bool one_value;
};

// The paths of one policy have different names, so that none contradicts another.
const std::vector<KnownPath>& KnownPaths() {
  static const std::vector<KnownPath> paths = {
      {"/n/?", {"n"}, true},         {"/s/?", {"s"}, true},
      {"/x/?", {"x"}, true},         {"/o/*", {"o"}, false},
      {"/o/a/?", {"o", "a"}, true},  {"/o/b/c/?", {"o", "b", "c"}, true},
      {"/t/*", {"t"}, false},        {"/t/[]/?", {"t", "[]"}, true},
      {"/r/*", {"r"}, false},        {"/r/[]/k/?", {"r", "[]", "k"}, true},
      {"/big/?", {"big"}, true},     {"/b/*", {"b"}, false},
      {"/\"x-y\"/?", {"x-y"}, true}, {"/r/[]/t/[]/?", {"r", "[]", "t", "[]"}, true},
      {"/o/b/*", {"o", "b"}, false}, {"/cl/?", {"cl"}, true},
      {"/cn/?", {"cn"}, true},       {"/cx/*", {"cx"}, false},
  };
  return paths;
}

// One of them hides a property that documents have; one is made of what the system adds, and no index has it.
constexpr std::pair<std::string_view, std::string_view> kComputed[] = {
    {"cl", "SELECT VALUE LOWER(c.s) FROM c"},
    {"cl", "SELECT VALUE c.s FROM c"},
    {"cn", "SELECT VALUE c.n * 2 FROM c"},
    {"cn", "SELECT VALUE c._ts + c.n FROM c"},
    {"cx", "SELECT VALUE c.x ?? c.o FROM c"},
    {"cx", "SELECT VALUE {'a': c.n, 'k': [c.x, c.s]} FROM c"},
    {"b", "SELECT VALUE NOT c.b FROM c"},
    {"cg", "SELECT VALUE {'type': 'Point', 'coordinates': [c.n, c.n / 2]} FROM c"},
};

std::vector<Policy::Computed> RandomComputed(Choices* choices) {
  std::vector<Policy::Computed> computed;
  for (const auto& offered : kComputed) {
    const bool is_new = std::ranges::none_of(computed, [&](const auto& one) { return one.name == offered.first; });
    if (choices->OneIn(4) && is_new) computed.push_back({std::string(offered.first), std::string(offered.second)});
  }
  return computed;
}

std::string RandomSpatialIndexes(Choices* choices) {
  constexpr std::string_view kPaths[] = {"/loc/?", "/loc/*", "/*", "/cg/?", "/o/*"};
  std::string list;
  for (const std::string_view path : kPaths) {
    if (!choices->OneIn(3)) continue;
    list.append(list.empty() ? "" : ",").append(R"({"path":")").append(path).append(R"(","types":["Point"]})");
  }
  return list.empty() ? "" : R"(,"spatialIndexes":[)" + list + "]";
}

void AddTo(std::string* list, std::string_view path) {
  list->append(list->empty() ? "" : ",").append(R"({"path":")");
  for (char c : path) list->append(c == '"' ? "\\\"" : std::string(1, c));
  list->append("\"}");
}

std::string Composites(Choices* choices, Policy* policy) {
  constexpr std::string_view kPaths[] = {"n", "s", "x", "o.a", "o.b.c", "big", "b", "cl", "cn"};
  std::string json;
  for (uint32_t count = choices->Below(3); count > 0; --count) {
    std::vector<CompositePath> composite;
    std::string paths;
    for (uint32_t length = 2 + choices->Below(2); length > 0; --length) {
      const std::string_view path = choices->Pick(kPaths);
      const bool known = std::ranges::any_of(composite, [&](const CompositePath& one) { return one.path == path; });
      if (known) continue;
      composite.push_back({std::string(path), choices->Below(2) == 1});
      std::string slashes = "/" + std::string(path);
      std::ranges::replace(slashes, '.', '/');
      paths.append(paths.empty() ? "" : ",").append(R"({"path":")").append(slashes);
      paths.append(R"(","order":")").append(composite.back().descending ? "descending" : "ascending").append("\"}");
    }
    const auto same_paths = [&](const std::vector<CompositePath>& other) {
      return std::ranges::equal(other, composite, {}, &CompositePath::path, &CompositePath::path);
    };
    if (composite.size() < 2 || std::ranges::any_of(policy->composites, same_paths)) continue;
    policy->composites.push_back(composite);
    json.append(json.empty() ? "[" : ",[").append(paths).append("]");
  }
  return json.empty() ? "" : R"(,"compositeIndexes":[)" + json + "]";
}

}  // namespace

OrderRule Policy::RuleOf(const std::vector<std::string>& path) const {
  if (!indexes) return OrderRule::kRefused;
  if (path[0] == "_ts" || path[0] == "id") return OrderRule::kAll;
  const bool is_computed = std::ranges::any_of(computed, [&](const Computed& one) { return one.name == path.front(); });
  const Path* best = nullptr;
  for (const Path& one : paths) {
    if (is_computed && one.names.empty()) continue;
    if (one.names.size() > path.size() || (one.one_value && one.names.size() != path.size())) continue;
    if (!std::equal(one.names.begin(), one.names.end(), path.begin())) continue;
    const bool longer = best == nullptr || one.names.size() > best->names.size();
    if (longer || (one.names.size() == best->names.size() && one.one_value)) best = &one;
  }
  if (best == nullptr || !best->included) return OrderRule::kRefused;
  return best->one_value ? OrderRule::kAll : OrderRule::kWithoutUndefined;
}

std::optional<Datum> Policy::ComputedOf(const Datum& item, std::string_view name) const {
  for (const Computed& one : computed) {
    if (one.name != name) continue;
    const auto tree = query::sql::Parse(one.query);
    const std::vector<Datum> items = {item};
    const std::map<std::string, Datum> parameters;
    const ReferenceAnswer answer = Reference(items, parameters, nullptr).Answer(tree->query());
    return answer.rows.empty() ? Datum() : answer.rows.front().result;
  }
  return std::nullopt;
}

Policy RandomPolicy(Choices* choices, MayIndexNothing may) {
  Policy policy;
  const uint32_t kind = choices->Below(may == MayIndexNothing::kYes ? 8 : 7);
  if (kind == 0) {  // no policy is given
    policy.paths.push_back({});
    return policy;
  }
  if (kind == 7) {
    policy.indexes = false;
    policy.json = R"({"indexingMode":"none","automatic":false})";
    return policy;
  }
  // Everything but some paths, or nothing but some. Paths of the other kind may be listed as well.
  const bool everything = kind < 5;
  std::string included, excluded;
  policy.paths.push_back({{}, false, everything});
  AddTo(everything ? &included : &excluded, "/*");
  for (const KnownPath& path : KnownPaths()) {
    const uint32_t choice = choices->Below(6);
    if (choice < 4) continue;
    const bool same_names = std::ranges::any_of(policy.paths, [&](const auto& one) { return one.names == path.names; });
    if (same_names) continue;
    const bool include = (choice == 4) != everything;
    policy.paths.push_back({path.names, path.one_value, include});
    AddTo(include ? &included : &excluded, path.text);
  }
  policy.json = R"({"indexingMode":"consistent","includedPaths":[)" + included + R"(],"excludedPaths":[)" + excluded +
                "]" + Composites(choices, &policy) + RandomSpatialIndexes(choices) + "}";
  policy.computed = RandomComputed(choices);
  return policy;
}

}  // namespace lapse::query_tests
