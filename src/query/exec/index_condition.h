// What an index knows of a plan's condition: which entries lead to the items that fulfil it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/index/index_walk.h"
#include "engine/index/indexed_paths.h"
#include "query/plan/condition.h"

namespace lapse::query::exec {

struct IndexCondition {
  enum class Kind : uint8_t {
    kEntries,  // there is an entry in one of `ranges`
    kAll,      // all of `parts`, of which there are several
    kAny,      // one of `parts`; without parts no item fulfils it
  };

  Kind kind = Kind::kEntries;
  plan::Path path;                         // kEntries
  std::vector<engine::IndexRange> ranges;  // kEntries: in order, apart from each other
  std::vector<IndexCondition> parts;
  bool exact = false;  // an item passes the plan's filters exactly when it fulfils this
};

// Whether the API adds the property of this name to every item. No index has it.
using IsAddedName = std::function<bool(std::string_view name)>;

// Nullopt: the index says nothing about it. Items that are left out of the index are not spoken of.
std::optional<IndexCondition> FindInIndex(const plan::Condition& condition, const engine::IndexedPaths& index,
                                          const IsAddedName& is_added);

// Whether an index has entries for the path, and the path as the engine writes it.
struct IndexedPath {
  engine::PathNumber number = engine::kRootPath;
  engine::IndexedPaths::Coverage coverage;
};
IndexedPath FindInIndex(const plan::Path& path, const engine::IndexedPaths& index, const IsAddedName& is_added);

}  // namespace lapse::query::exec
