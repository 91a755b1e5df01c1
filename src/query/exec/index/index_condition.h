// The part of a plan's condition that an index can answer: which entries lead to the items that meet it.
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
    kEntries,  // the item has an entry in one of `ranges`
    kNumbers,  // the item is one of `numbers`, some of which may belong to no item
    kAll,      // the item meets all of `parts`, of which there are several
    kAny,      // the item meets one of `parts`; without parts no item matches
  };

  Kind kind = Kind::kEntries;
  plan::Path path;                          // kEntries; empty for a composite index, and for cells
  std::vector<engine::IndexRange> ranges;   // kEntries: ascending and disjoint
  std::vector<engine::ItemNumber> numbers;  // kNumbers: ascending
  std::vector<IndexCondition> parts;
  bool exact = false;  // an item passes the plan's filters exactly if it meets this condition
  // The condition holds for items that are left out of the index, too: it uses facts that are known of every item.
  bool finds_left_out = false;
};

// What values can be looked up in.
struct KnownPaths {
  const engine::IndexedPaths& index;
  const AddedProperties& added;  // the index has no entries for these
  bool write_order = true;       // items can be found by the second of their last write: IndexPage::knows_write_order
  bool composites = true;        // whether composite indexes may be used
};

// Returns nullopt if the index knows nothing about the condition.
std::optional<IndexCondition> FindInIndex(const plan::Condition& condition, const KnownPaths& known);

// A path as the engine writes it, and whether it has entries.
struct IndexedPath {
  engine::PathNumber number = engine::kRootPath;
  engine::IndexedPaths::Coverage coverage;
};
IndexedPath FindInIndex(const plan::Path& path, const KnownPaths& known);

// Whether entries at paths that begin with this name hold what queries see there. They do not if the API adds the
// property, or if another rule makes it.
bool EntriesAreOf(std::string_view name, const KnownPaths& known);
// Whether the index has the cells of each geometry at the path.
bool HasCells(const plan::Path& path, const KnownPaths& known);

}  // namespace lapse::query::exec
