// Decides, by a container's definition, which values of its items have index entries, and makes these entries.
//
// Every value at an indexed path has an entry; for arrays and objects it has only their type. A path that the
// definition names for one value has an entry for each item, which is undefined if the item has no value there. Derived
// values count as values of their documents (docs/design/index.md, "Derived values").
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

// One step down a document: into one member of an object, or into all elements of an array.
struct PathStep {
  std::string name;
  bool into_elements = false;
};

// Immutable, except for the cached numbers of paths. Threads: any.
class IndexedPaths {
 public:
  // Values in the property `left_out` have no entries. The derivation may be null and need not outlive the call.
  IndexedPaths(const IndexingDefinition& definition, std::string_view left_out, const Derivation* derivation = nullptr);
  ~IndexedPaths();
  IndexedPaths(const IndexedPaths&) = delete;
  IndexedPaths& operator=(const IndexedPaths&) = delete;

  // Returns true if all rules of the definition are known. Otherwise it cannot make entries.
  bool knows_rules() const { return knows_rules_; }

  // Returns the number of entries that a write pays for besides its size: one for each single indexed value of the
  // document, each composite index, each derived property and each marked path.
  int64_t CountEntries(std::string_view document) const;

  // Makes all entries of a document, sorted. An item that is left out has one, at the root path.
  IndexEntries MakeEntries(std::string_view document, IndexingDirective directive) const;
  bool LeavesOut(IndexingDirective directive) const;

  // The values that the entries of a path can find.
  struct Coverage {
    bool values = false;     // every value at the path has an entry
    bool undefined = false;  // every item without a value there has one, too
  };
  Coverage CoverageOf(const std::vector<PathStep>& path) const;
  // Returns the rule that makes the property of this name; empty if it is the document's own.
  std::string_view RuleOf(std::string_view name) const;
  // Returns the rule of the marks that every object at this path has; empty if they have none.
  std::string_view MarkRuleAt(const std::vector<PathStep>& path) const;
  static PathNumber NumberOf(const std::vector<PathStep>& path);

  // Each item that is not left out has one entry in each composite. An array, an object or a missing value counts as
  // undefined. The bytes of a descending part are inverted.
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
  // The derived values of one document, in the order of derived_.
  using Holders = std::vector<std::string>;

  const Derived* FindDerived(std::string_view name) const;
  Holders Derive(std::string_view document) const;
  doc::Value ValueOf(const Derived& derived, const Holders& holders) const;
  doc::Value ValueIn(const std::vector<std::string>& names, std::string_view document, const Holders& holders) const;
  bool IsIndexed(const PathNode& root, const std::vector<std::string>& names) const;
  // Walks the document's own properties, except hidden ones.
  template <typename Visitor>
  void Walk(const PathNode& root, std::string_view document, Visitor* visitor) const;
  template <typename Visitor>
  void WalkDerived(const PathNode& root, const Holders& holders, Visitor* visitor) const;
  void AddMarks(std::string_view document, const Holders& holders, IndexEntries* entries) const;

  std::unique_ptr<const PathNode> root_;    // null: no paths
  std::unique_ptr<const PathNode> marked_;  // null: nothing is marked
  std::vector<Derived> derived_;
  std::string mark_rule_;
  std::shared_ptr<const MarkMaker> mark_maker_;
  int64_t derived_price_ = 0;  // part of CountEntries
  bool knows_rules_ = true;
  std::vector<NamedPath> named_;  // for one value
  std::vector<Composite> composites_;
  const bool automatic_;
  const std::string left_out_;
  mutable PathNumbers numbers_;
};

}  // namespace lapse::engine
