// Which values of a container's items have index entries, by its definition, and what these entries are.
//
// Every value at a path that is indexed has an entry: arrays and objects with their type alone. A path that the
// definition names for one value has an entry for each item, undefined where it has no value there. Values that are
// derived of documents count as theirs (docs/design/index.md, "Derived values").
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/records/index/derivation.h"
#include "engine/records/index/index_entries.h"
#include "engine/records/index/indexing_definition.h"
#include "engine/records/index/path_number.h"
#include "engine/records/items/item.h"

namespace lapse::engine {

struct PathNode;

// One step down a document: into the member of an object, or into the elements of an array, all of them.
struct PathStep {
  std::string name;
  bool into_elements = false;
};

// Immutable, but for the numbers of paths that it remembers. Threads: any.
class IndexedPaths {
 public:
  // Values in the property that is left out have no entries. The derivation may be null, and is not needed any more
  // afterwards.
  IndexedPaths(const IndexingDefinition& definition, std::string_view left_out, const Derivation* derivation = nullptr);
  ~IndexedPaths();
  IndexedPaths(const IndexedPaths&) = delete;
  IndexedPaths& operator=(const IndexedPaths&) = delete;

  // Whether all rules of the definition are known. Otherwise no entries can be made by it.
  bool knows_rules() const { return knows_rules_; }

  // What a write pays for besides its size: one for each single value of the document that is indexed, one for each
  // composite index, one for each derived property and each marked path.
  int64_t CountEntries(std::string_view document) const;

  // All entries of a document, sorted. An item that is left out has one, at the root path.
  IndexEntries MakeEntries(std::string_view document, IndexingDirective directive) const;
  bool LeavesOut(IndexingDirective directive) const;

  // What of an index's path can be found by its entries.
  struct Coverage {
    bool values = false;     // every value that is there has an entry
    bool undefined = false;  // and so has every item that has none there
  };
  Coverage CoverageOf(const std::vector<PathStep>& path) const;
  // The rule that makes the property of this name; empty: it is the document's own.
  std::string_view RuleOf(std::string_view name) const;
  // The rule of the marks that every object at this path has; empty: they have none.
  std::string_view MarkRuleAt(const std::vector<PathStep>& path) const;
  static PathNumber NumberOf(const std::vector<PathStep>& path);

  // Each item that is not left out has one entry in each. An array, an object or nothing counts as undefined; the bytes
  // of a descending part are inverted.
  struct Composite {
    IndexingDefinition::Composite paths;
    PathNumber number;
  };
  const std::vector<Composite>& composites() const { return composites_; }

 private:
  struct NamedPath {
    std::vector<std::string> names;
    PathNumber number;
  };

  struct Derived {
    std::string name;
    std::string rule;
    std::shared_ptr<const DerivedValue> value;
  };
  // What is derived of one document, in the order of derived_.
  using Holders = std::vector<std::string>;

  const Derived* FindDerived(std::string_view name) const;
  Holders Derive(std::string_view document) const;
  doc::Value ValueOf(const Derived& derived, const Holders& holders) const;
  doc::Value ValueIn(const std::vector<std::string>& names, std::string_view document, const Holders& holders) const;
  bool IsIndexed(const PathNode& root, const std::vector<std::string>& names) const;
  // Over the document's own properties, but for those that are hidden.
  template <typename Visitor>
  void Walk(const PathNode& root, std::string_view document, Visitor* visitor) const;
  template <typename Visitor>
  void WalkDerived(const PathNode& root, const Holders& holders, Visitor* visitor) const;
  void AddMarks(std::string_view document, const Holders& holders, IndexEntries* entries) const;

  std::unique_ptr<const PathNode> root_;    // null: no path at all
  std::unique_ptr<const PathNode> marked_;  // null: nothing is marked
  std::vector<Derived> derived_;
  std::string mark_rule_;
  std::shared_ptr<const MarkMaker> mark_maker_;
  int64_t derived_price_ = 0;  // of CountEntries
  bool knows_rules_ = true;
  std::vector<NamedPath> named_;  // for one value
  std::vector<Composite> composites_;
  const bool automatic_;
  const std::string left_out_;
  mutable PathNumbers numbers_;
};

}  // namespace lapse::engine
