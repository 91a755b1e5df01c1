// What an index knows of a plan's condition: which entries lead to the items that fulfil it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/partition/index/index_walk.h"
#include "engine/records/ids/ids.h"
#include "engine/records/index/indexed_paths.h"
#include "query/exec/rules/added_properties.h"
#include "query/plan/condition.h"

namespace lapse::query::exec {

struct IndexCondition {
  enum class Kind : uint8_t {
    kEntries,  // there is an entry in one of `ranges`
    kNumbers,  // it is one of `numbers`, of which some may be those of no item
    kAll,      // all of `parts`, of which there are several
    kAny,      // one of `parts`; without parts no item fulfils it
  };

  Kind kind = Kind::kEntries;
  plan::Path path;                          // kEntries; empty: they are those of a composite index, or cells
  std::vector<engine::IndexRange> ranges;   // kEntries: in order, apart from each other
  std::vector<engine::ItemNumber> numbers;  // kNumbers: ascending
  std::vector<IndexCondition> parts;
  bool exact = false;  // an item passes the plan's filters exactly when it fulfils this
  // Items that are left out of the index are spoken of, too: it is about what is known of every item.
  bool finds_left_out = false;
};

// What values can be looked up in.
struct KnownPaths {
  const engine::IndexedPaths& index;
  const AddedProperties& added;  // the index has no entries for them
  bool write_order = true;       // items can be found by the second of their last write: IndexPage::knows_write_order
  bool composites = true;        // entries of composite indexes count
};

// Nullopt: nothing is known about it.
std::optional<IndexCondition> FindInIndex(const plan::Condition& condition, const KnownPaths& known);

// Whether there are entries for the path, and the path as the engine writes it.
struct IndexedPath {
  engine::PathNumber number = engine::kRootPath;
  engine::IndexedPaths::Coverage coverage;
};
IndexedPath FindInIndex(const plan::Path& path, const KnownPaths& known);

// Whether entries at paths that begin with this name are of what queries see there: not of a property that is added,
// nor of one that is made by another rule.
bool EntriesAreOf(std::string_view name, const KnownPaths& known);
// Whether each geometry at the path has its cells in the index.
bool HasCells(const plan::Path& path, const KnownPaths& known);

}  // namespace lapse::query::exec
