#include "engine/request_units/indexed_paths.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "doc/json.h"
#include "doc/path.h"
#include "doc/value.h"

namespace lapse::engine {

// What the policy says of one path, and of those that begin with it.
struct PathNode {
  std::optional<bool> here;   // `/?`
  std::optional<bool> below;  // `/*`
  std::map<std::string, PathNode, std::less<>> children;
};

namespace {

constexpr std::string_view kElement = "[]";
constexpr std::string_view kTtl = "ttl";
constexpr int kDepthMax = 200;  // more than any front end lets in

void AddPath(std::string_view text, bool indexed, PathNode* root) {
  if (text == "/") text = "/*";
  Result<doc::Path> path = doc::Path::FromSlashes(text);
  if (!path.ok()) return;
  std::vector<std::string> names = path->names();
  const bool one_value = !names.empty() && names.back() == "?";
  if (!names.empty() && (one_value || names.back() == "*")) names.pop_back();
  PathNode* node = root;
  for (std::string& name : names) node = &node->children[std::move(name)];
  (one_value ? node->here : node->below) = indexed;
}

void AddPaths(std::string_view policy, std::string_view list, bool indexed, PathNode* root) {
  doc::Value paths = doc::Find(policy, list);
  if (paths.type() != doc::Type::kArray) return;
  doc::Reader reader(paths.AsDocument());
  while (auto entry = reader.Next()) {
    if (entry->value.type() != doc::Type::kObject) continue;
    doc::Value path = doc::Find(entry->value.AsDocument(), "path");
    if (path.type() == doc::Type::kString) AddPath(path.AsString(), indexed, root);
  }
}

int64_t CountElements(doc::Value array) {
  if (array.type() != doc::Type::kArray) return 0;
  int64_t count = 0;
  doc::Reader reader(array.AsDocument());
  while (reader.Next()) ++count;
  return count;
}

bool IndexesNothing(std::string_view policy) {
  doc::Value mode = doc::Find(policy, "indexingMode");
  return mode.type() == doc::Type::kString && mode.AsString() == "none";
}

const PathNode* ChildOf(const PathNode* node, std::string_view name) {
  if (node == nullptr) return nullptr;
  auto found = node->children.find(name);
  return found == node->children.end() ? nullptr : &found->second;
}

// `node` is the one of the value's path, null where the policy says nothing of it; `indexed` what holds above.
// Documents are bounded in depth where they come in.
int64_t CountValue(doc::Value value, const PathNode* node, bool indexed) {
  if (node != nullptr && node->below) indexed = *node->below;
  const bool is_array = value.type() == doc::Type::kArray;
  if (!is_array && value.type() != doc::Type::kObject) {
    return (node != nullptr && node->here ? *node->here : indexed) ? 1 : 0;
  }
  if (node == nullptr && !indexed) return 0;
  int64_t count = 0;
  doc::Reader reader(value.AsDocument());
  while (auto element = reader.Next()) {
    count += CountValue(element->value, ChildOf(node, is_array ? kElement : element->name), indexed);
  }
  return count;
}

}  // namespace

IndexedPaths::IndexedPaths(std::string_view properties) {
  if (!doc::Validate(properties, kDepthMax).ok()) return;
  doc::Value policy = doc::Find(properties, "indexingPolicy");
  if (policy.type() != doc::Type::kObject || IndexesNothing(policy.AsDocument())) return;
  auto root = std::make_unique<PathNode>();
  AddPaths(policy.AsDocument(), "includedPaths", true, root.get());
  AddPaths(policy.AsDocument(), "excludedPaths", false, root.get());
  root_ = std::move(root);
  composites_ = CountElements(doc::Find(policy.AsDocument(), "compositeIndexes"));
}

IndexedPaths::~IndexedPaths() = default;

int64_t IndexedPaths::CountEntries(std::string_view document) const {
  if (root_ == nullptr) return 0;
  int64_t count = composites_;
  doc::Reader reader(document);
  const bool indexed = root_->below.value_or(false);
  while (auto element = reader.Next()) {
    if (element->name != kTtl) count += CountValue(element->value, ChildOf(root_.get(), element->name), indexed);
  }
  return count;
}

}  // namespace lapse::engine
