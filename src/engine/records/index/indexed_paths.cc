#include "engine/records/index/indexed_paths.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "doc/value.h"
#include "engine/records/ids/value_at.h"
#include "engine/records/index/index_value.h"

namespace lapse::engine {

// The policy for one path and those below it.
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

// The rule at one place of a walk: the node of its path, null if the policy does not mention it, and the default that
// then applies.
struct Rule {
  const PathNode* node = nullptr;
  bool indexed = false;

  Rule Into(std::string_view name) const {
    Rule rule{ChildOf(node, name), indexed};
    if (rule.node != nullptr && rule.node->below) rule.indexed = *rule.node->below;
    return rule;
  }
  bool Here() const { return node != nullptr && node->here ? *node->here : indexed; }
  // Returns true if nothing here or below is indexed.
  bool Nothing() const { return node == nullptr && !indexed; }
};

Rule TopRule(const PathNode& root) {
  return {&root, root.below.value_or(false)};
}

// A derived property is indexed only if it is named.
Rule TopRuleOfDerived(const PathNode& root) {
  return {&root, false};
}

Rule RuleFrom(Rule top, const std::vector<std::string>& names) {
  for (const std::string& name : names) top = top.Into(name);
  return top;
}

// Calls the visitor with each indexed value. Recursion is safe, because the depth of documents is limited on entry.
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

// Adds the marks of each object, under a path of their own.
class Marking {
 public:
  using Place = const PathNumbers::Node*;

  Marking(const MarkMaker& maker, PathNumbers* numbers, IndexEntries* entries)
      : maker_(maker), numbers_(numbers), entries_(entries) {}
  Place root() const { return numbers_->root(); }
  Place Name(Place above, std::string_view name) { return numbers_->Name(above, name, &spare_); }
  Place Elements(Place above) { return numbers_->Elements(above, &spare_); }
  void Take(Place place, doc::Value value) {
    if (value.type() != doc::Type::kObject) return;
    std::optional<PathNumber> path;  // most objects have no marks
    maker_.Make(value, [&](std::string_view mark) {
      if (!path.has_value()) path = PathOfMarks(place->number);
      entries_->Begin(*path)->append(mark);
      entries_->End();
    });
  }

 private:
  const MarkMaker& maker_;
  PathNumbers* const numbers_;
  PathNumbers::Spare spare_;
  IndexEntries* const entries_;
};

PathNumber NumberOfNames(const std::vector<std::string>& names) {
  PathNumber number = kRootPath;
  for (const std::string& name : names) number = PathOfName(number, name);
  return number;
}

// Names as a definition writes them.
std::vector<std::string> NamesOf(const std::vector<PathStep>& path) {
  std::vector<std::string> names;
  names.reserve(path.size());
  for (const PathStep& step : path) {
    names.push_back(step.into_elements ? std::string(IndexingDefinition::kElement) : step.name);
  }
  return names;
}

PathNumber NumberOfComposite(const IndexingDefinition::Composite& composite) {
  std::vector<CompositePart> parts;
  for (const IndexingDefinition::CompositePath& path : composite) {
    parts.push_back({NumberOfNames(path.names), path.descending});
  }
  return PathOfComposite(parts);
}

template <typename FindValue>
void AddComposite(const IndexedPaths::Composite& composite, const FindValue& find, IndexEntries* entries) {
  std::string* bytes = entries->Begin(composite.number);
  for (const IndexingDefinition::CompositePath& path : composite.paths) {
    const size_t from = bytes->size();
    const doc::Value value = find(path.names);
    PutIndexValue(bytes, IsSingle(value) ? value : doc::Value());
    if (path.descending) InvertBytes(bytes, from);
  }
  entries->End();
}

}  // namespace

IndexedPaths::IndexedPaths(const IndexingDefinition& definition, std::string_view left_out,
                           const Derivation* derivation)
    : mark_rule_(definition.mark_rule),
      derived_price_(static_cast<int64_t>(definition.derived.size() + definition.marked.size())),
      automatic_(definition.automatic),
      left_out_(left_out) {
  for (const IndexingDefinition::DerivedProperty& property : definition.derived) {
    derived_.push_back(
        {property.name, property.rule, derivation == nullptr ? nullptr : derivation->ValueBy(property.rule)});
    knows_rules_ &= derived_.back().value != nullptr;
  }
  if (!definition.marked.empty()) {
    if (derivation != nullptr) mark_maker_ = derivation->MarksBy(mark_rule_);
    knows_rules_ &= mark_maker_ != nullptr;
    auto marked = std::make_unique<PathNode>();
    for (const IndexingDefinition::MarkedPath& path : definition.marked) {
      AddPath({path.names, path.one_value, true}, marked.get());
    }
    marked_ = std::move(marked);
  }
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
  std::erase_if(named_, [this](const NamedPath& path) { return !IsIndexed(*root_, path.names); });
}

IndexedPaths::~IndexedPaths() = default;

const IndexedPaths::Derived* IndexedPaths::FindDerived(std::string_view name) const {
  const auto found =
      std::find_if(derived_.begin(), derived_.end(), [name](const Derived& one) { return one.name == name; });
  return found == derived_.end() ? nullptr : &*found;
}

IndexedPaths::Holders IndexedPaths::Derive(std::string_view document) const {
  Holders holders(derived_.size());
  for (size_t i = 0; i < derived_.size(); ++i) {
    if (derived_[i].value != nullptr) derived_[i].value->Make(document, &holders[i]);
  }
  return holders;
}

// Returns a missing value if there is none.
doc::Value IndexedPaths::ValueOf(const Derived& derived, const Holders& holders) const {
  const std::string& holder = holders[static_cast<size_t>(&derived - derived_.data())];
  if (holder.empty()) return {};
  const auto member = doc::Reader(holder).Next();
  return member.has_value() ? member->value : doc::Value();
}

doc::Value IndexedPaths::ValueIn(const std::vector<std::string>& names, std::string_view document,
                                 const Holders& holders) const {
  const Derived* const derived = derived_.empty() ? nullptr : FindDerived(names.front());
  if (derived == nullptr) return ValueAt(names, document);
  const doc::Value value = ValueOf(*derived, holders);
  if (names.size() == 1) return value;
  if (value.type() != doc::Type::kObject) return {};
  return ValueAt({names.begin() + 1, names.end()}, value.AsDocument());
}

bool IndexedPaths::IsIndexed(const PathNode& root, const std::vector<std::string>& names) const {
  const bool is_derived = FindDerived(names.front()) != nullptr;
  return RuleFrom(is_derived ? TopRuleOfDerived(root) : TopRule(root), names).Here();
}

template <typename Visitor>
void IndexedPaths::Walk(const PathNode& root, std::string_view document, Visitor* visitor) const {
  const Rule top = TopRule(root);
  doc::Reader reader(document);
  while (auto element = reader.Next()) {
    if (element->name == left_out_ || (!derived_.empty() && FindDerived(element->name) != nullptr)) continue;
    const Rule member = top.Into(element->name);
    if (!member.Nothing()) WalkValue(element->value, member, visitor->Name(visitor->root(), element->name), visitor);
  }
}

template <typename Visitor>
void IndexedPaths::WalkDerived(const PathNode& root, const Holders& holders, Visitor* visitor) const {
  for (const Derived& derived : derived_) {
    const doc::Value value = ValueOf(derived, holders);
    const Rule rule = TopRuleOfDerived(root).Into(derived.name);
    if (value.missing() || rule.Nothing()) continue;
    WalkValue(value, rule, visitor->Name(visitor->root(), derived.name), visitor);
  }
}

int64_t IndexedPaths::CountEntries(std::string_view document) const {
  if (root_ == nullptr) return derived_price_;
  Counting counting;
  Walk(*root_, document, &counting);
  return counting.count() + static_cast<int64_t>(composites_.size()) + derived_price_;
}

void IndexedPaths::AddMarks(std::string_view document, const Holders& holders, IndexEntries* entries) const {
  if (marked_ == nullptr || mark_maker_ == nullptr) return;
  Marking marking(*mark_maker_, &numbers_, entries);
  Walk(*marked_, document, &marking);
  WalkDerived(*marked_, holders, &marking);
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
  const Holders holders = Derive(document);
  if (root_ != nullptr) {
    Collecting collecting(&numbers_, &entries);
    Walk(*root_, document, &collecting);
    WalkDerived(*root_, holders, &collecting);
  }
  for (const NamedPath& path : named_) {
    if (!ValueIn(path.names, document, holders).missing()) continue;
    PutUndefined(entries.Begin(path.number));
    entries.End();
  }
  for (const Composite& composite : composites_) {
    AddComposite(
        composite, [&](const std::vector<std::string>& names) { return ValueIn(names, document, holders); }, &entries);
  }
  AddMarks(document, holders, &entries);
  entries.Sort();
  return entries;
}

IndexedPaths::Coverage IndexedPaths::CoverageOf(const std::vector<PathStep>& path) const {
  if (root_ == nullptr || path.empty() || (!path.front().into_elements && path.front().name == left_out_)) return {};
  const bool names_only =
      std::none_of(path.begin(), path.end(), [](const PathStep& step) { return step.into_elements; });
  const std::vector<std::string> names = NamesOf(path);
  const bool indexed = IsIndexed(*root_, names);
  const bool is_named =
      names_only && std::any_of(named_.begin(), named_.end(), [&](const NamedPath& one) { return one.names == names; });
  return {.values = indexed, .undefined = indexed && is_named};
}

std::string_view IndexedPaths::RuleOf(std::string_view name) const {
  const Derived* const derived = FindDerived(name);
  return derived == nullptr ? std::string_view() : derived->rule;
}

std::string_view IndexedPaths::MarkRuleAt(const std::vector<PathStep>& path) const {
  if (marked_ == nullptr || path.empty() || (!path.front().into_elements && path.front().name == left_out_)) return {};
  return IsIndexed(*marked_, NamesOf(path)) ? std::string_view(mark_rule_) : std::string_view();
}

PathNumber IndexedPaths::NumberOf(const std::vector<PathStep>& path) {
  PathNumber number = kRootPath;
  for (const PathStep& step : path) {
    number = step.into_elements ? PathOfElements(number) : PathOfName(number, step.name);
  }
  return number;
}

}  // namespace lapse::engine
