#include "engine/index/indexed_paths.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "doc/value.h"
#include "engine/index/index_value.h"
#include "engine/value_at.h"

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

bool HasElements(const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), IndexingDefinition::kElement) != names.end();
}

bool IsSingle(doc::Value value) {
  return value.type() != doc::Type::kArray && value.type() != doc::Type::kObject;
}

// What holds at one place of a walk: the node of its path, null where the policy says nothing of it, and what holds
// where it says nothing.
struct Rule {
  const PathNode* node = nullptr;
  bool indexed = false;

  Rule Into(std::string_view name) const {
    Rule rule{ChildOf(node, name), indexed};
    if (rule.node != nullptr && rule.node->below) rule.indexed = *rule.node->below;
    return rule;
  }
  bool Here() const { return node != nullptr && node->here ? *node->here : indexed; }
  // Nothing here or below is indexed.
  bool Nothing() const { return node == nullptr && !indexed; }
};

Rule TopRule(const PathNode& root) {
  return {&root, root.below.value_or(false)};
}

Rule RuleOf(const PathNode& root, const std::vector<std::string>& names) {
  Rule rule = TopRule(root);
  for (const std::string& name : names) rule = rule.Into(name);
  return rule;
}

// Shows the visitor each value that is indexed. Documents are bounded in depth where they come in.
template <typename Visitor>
void WalkValue(doc::Value value, const Rule& rule, typename Visitor::Place place, Visitor* visitor) {
  if (rule.Here()) visitor->Take(place, value);
  if (IsSingle(value)) return;
  doc::Reader reader(value.AsDocument());
  if (value.type() == doc::Type::kArray) {
    const Rule of_elements = rule.Into(IndexingDefinition::kElement);
    if (of_elements.Nothing()) return;
    const typename Visitor::Place elements = visitor->Elements(place);
    while (auto element = reader.Next()) WalkValue(element->value, of_elements, elements, visitor);
    return;
  }
  while (auto element = reader.Next()) {
    const Rule member = rule.Into(element->name);
    if (!member.Nothing()) WalkValue(element->value, member, visitor->Name(place, element->name), visitor);
  }
}

class Counting {
 public:
  struct Place {};
  static Place root() { return {}; }
  static Place Name(Place, std::string_view) { return {}; }
  static Place Elements(Place) { return {}; }
  void Take(Place, doc::Value value) { count_ += IsSingle(value) ? 1 : 0; }

  int64_t count() const { return count_; }

 private:
  int64_t count_ = 0;
};

class Collecting {
 public:
  using Place = const PathNumbers::Node*;

  Collecting(PathNumbers* numbers, IndexEntries* entries) : numbers_(numbers), entries_(entries) {}
  Place root() const { return numbers_->root(); }
  Place Name(Place above, std::string_view name) { return numbers_->Name(above, name, &spare_); }
  Place Elements(Place above) { return numbers_->Elements(above, &spare_); }
  void Take(Place place, doc::Value value) {
    PutIndexValue(entries_->Begin(place->number), value);
    entries_->End();
  }

 private:
  PathNumbers* const numbers_;
  PathNumbers::Spare spare_;
  IndexEntries* const entries_;
};

PathNumber NumberOfNames(const std::vector<std::string>& names) {
  PathNumber number = kRootPath;
  for (const std::string& name : names) number = PathOfName(number, name);
  return number;
}

PathNumber NumberOfComposite(const IndexingDefinition::Composite& composite) {
  std::vector<CompositePart> parts;
  for (const IndexingDefinition::CompositePath& path : composite) {
    parts.push_back({NumberOfNames(path.names), path.descending});
  }
  return PathOfComposite(parts);
}

void AddComposite(const IndexedPaths::Composite& composite, std::string_view document, IndexEntries* entries) {
  std::string* bytes = entries->Begin(composite.number);
  for (const IndexingDefinition::CompositePath& path : composite.paths) {
    const size_t from = bytes->size();
    const doc::Value value = ValueAt(path.names, document);
    PutIndexValue(bytes, IsSingle(value) ? value : doc::Value());
    if (path.descending) InvertBytes(bytes, from);
  }
  entries->End();
}

}  // namespace

IndexedPaths::IndexedPaths(const IndexingDefinition& definition, std::string_view left_out)
    : automatic_(definition.automatic), left_out_(left_out) {
  for (const IndexingDefinition::Composite& composite : definition.composites) {
    composites_.push_back({composite, NumberOfComposite(composite)});
  }
  if (definition.paths.empty()) return;
  auto root = std::make_unique<PathNode>();
  for (const IndexingDefinition::Path& path : definition.paths) {
    AddPath(path, root.get());
    const bool can_be_missing = path.one_value && path.indexed && !path.names.empty() && !HasElements(path.names);
    if (can_be_missing && path.names.front() != left_out_) named_.push_back({path.names, NumberOfNames(path.names)});
  }
  root_ = std::move(root);
  std::erase_if(named_, [this](const NamedPath& path) { return !RuleOf(*root_, path.names).Here(); });
}

IndexedPaths::~IndexedPaths() = default;

template <typename Visitor>
void IndexedPaths::Walk(std::string_view document, Visitor* visitor) const {
  const Rule top = TopRule(*root_);
  doc::Reader reader(document);
  while (auto element = reader.Next()) {
    if (element->name == left_out_) continue;
    const Rule member = top.Into(element->name);
    if (!member.Nothing()) WalkValue(element->value, member, visitor->Name(visitor->root(), element->name), visitor);
  }
}

int64_t IndexedPaths::CountEntries(std::string_view document) const {
  if (root_ == nullptr) return 0;
  Counting counting;
  Walk(document, &counting);
  return counting.count() + static_cast<int64_t>(composites_.size());
}

bool IndexedPaths::LeavesOut(IndexingDirective directive) const {
  return directive == IndexingDirective::kExclude || (directive == IndexingDirective::kDefault && !automatic_);
}

IndexEntries IndexedPaths::MakeEntries(std::string_view document, IndexingDirective directive) const {
  IndexEntries entries;
  if (LeavesOut(directive)) {
    entries.Begin(kRootPath);
    entries.End();
    return entries;
  }
  if (root_ != nullptr) {
    Collecting collecting(&numbers_, &entries);
    Walk(document, &collecting);
  }
  for (const NamedPath& path : named_) {
    if (!ValueAt(path.names, document).missing()) continue;
    PutUndefined(entries.Begin(path.number));
    entries.End();
  }
  for (const Composite& composite : composites_) AddComposite(composite, document, &entries);
  entries.Sort();
  return entries;
}

IndexedPaths::Coverage IndexedPaths::CoverageOf(const std::vector<PathStep>& path) const {
  if (root_ == nullptr || path.empty() || (!path.front().into_elements && path.front().name == left_out_)) return {};
  std::vector<std::string> names;
  bool names_only = true;
  for (const PathStep& step : path) {
    names.push_back(step.into_elements ? std::string(IndexingDefinition::kElement) : step.name);
    names_only &= !step.into_elements;
  }
  const Rule rule = RuleOf(*root_, names);
  const bool is_named =
      names_only && std::any_of(named_.begin(), named_.end(), [&](const NamedPath& one) { return one.names == names; });
  return {.values = rule.Here(), .undefined = rule.Here() && is_named};
}

PathNumber IndexedPaths::NumberOf(const std::vector<PathStep>& path) {
  PathNumber number = kRootPath;
  for (const PathStep& step : path) {
    number = step.into_elements ? PathOfElements(number) : PathOfName(number, step.name);
  }
  return number;
}

}  // namespace lapse::engine
