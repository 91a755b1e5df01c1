// Which values of a container's items have index entries, independent of an API's syntax.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lapse::engine {

// If several paths match a value, the longest decides. A definition without paths indexes nothing.
struct IndexingDefinition {
  // Stands for the elements of an array in the names of a path.
  static constexpr std::string_view kElement = "[]";

  struct Path {
    std::vector<std::string> names;
    bool one_value = false;  // only the value at the path; otherwise everything below it
    bool indexed = true;     // false: left out

    bool operator==(const Path&) const = default;
  };

  // A composite is one order of all items by the values at several paths.
  struct CompositePath {
    std::vector<std::string> names;
    bool descending = false;

    bool operator==(const CompositePath&) const = default;
  };
  using Composite = std::vector<CompositePath>;

  // A property that a rule makes from each document. Paths that begin with its name apply to it, but those for
  // everything do not. It hides a property of the document with the same name. The engine does not know what rules
  // mean: Derivation does.
  struct DerivedProperty {
    std::string name;
    std::string rule;

    bool operator==(const DerivedProperty&) const = default;
  };

  // A path whose objects have marks. All marks share one rule.
  struct MarkedPath {
    std::vector<std::string> names;
    bool one_value = false;  // only the value at the path; otherwise also everything below it

    bool operator==(const MarkedPath&) const = default;
  };

  std::vector<Path> paths;
  std::vector<Composite> composites;
  std::vector<DerivedProperty> derived;
  std::vector<MarkedPath> marked;
  std::string mark_rule;  // empty if nothing is marked
  bool automatic = true;  // false: items are left out unless their writer asks for them

  // Returns true if no item has entries under this definition.
  bool IndexesNothing() const;
  bool DerivesAnything() const { return !derived.empty() || !marked.empty(); }

  // Integers are little-endian.
  //
  //   offset  size  field
  //   0       1     version: 1, or 2 if something is derived
  //   1       4     number of paths
  //   then          each: flags (1; bit 0 one value, bit 1 indexed), number of names (4), each a length (4) and bytes
  //   then    4     number of composites
  //   then          each: number of paths (4), each: descending (1; 0 or 1), number of names (4), each as above
  //   then    1     automatic (0 or 1)
  //   then    4     number of derived properties                                    (from here on only in version 2)
  //   then          each: name and rule, each a length (4) and bytes
  //   then    4     number of marked paths
  //   then          each: one value (1; 0 or 1), number of names (4), each as above
  //   then          the rule of marks: a length (4) and bytes
  //
  // Decode removes them from the front of `bytes`. Returns false if the bytes are something else.
  void Encode(std::string* out) const;
  static bool Decode(std::string_view* bytes, IndexingDefinition* definition);

  bool operator==(const IndexingDefinition&) const = default;
};

}  // namespace lapse::engine
