#include "engine/request_units/indexed_paths.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "doc/value.h"

namespace lapse::engine {

// What the policy says of one path, and of those that begin with it.
struct PathNode {
  std::optional<bool> here;   // `/?`
  std::optional<bool> below;  // `/*`
  std::map<std::string, PathNode, std::less<>> children;
};

namespace {

void AddPath(const IndexingDefinition::Path& path, PathNode* root) {
  PathNode* node = root;
  for (const std::string& name : path.names) node = &node->children[name];
  (path.one_value ? node->here : node->below) = path.indexed;
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
    count +=
        CountValue(element->value, ChildOf(node, is_array ? IndexingDefinition::kElement : element->name), indexed);
  }
  return count;
}

}  // namespace

IndexedPaths::IndexedPaths(const IndexingDefinition& definition, std::string_view left_out)
    : composites_(definition.composites), left_out_(left_out) {
  if (definition.paths.empty()) return;
  auto root = std::make_unique<PathNode>();
  for (const IndexingDefinition::Path& path : definition.paths) AddPath(path, root.get());
  root_ = std::move(root);
}

IndexedPaths::~IndexedPaths() = default;

int64_t IndexedPaths::CountEntries(std::string_view document) const {
  if (root_ == nullptr) return 0;
  int64_t count = composites_;
  doc::Reader reader(document);
  const bool indexed = root_->below.value_or(false);
  while (auto element = reader.Next()) {
    if (element->name != left_out_) count += CountValue(element->value, ChildOf(root_.get(), element->name), indexed);
  }
  return count;
}

}  // namespace lapse::engine
