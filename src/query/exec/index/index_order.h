// The ORDER BY order in terms of index entries.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/partition/index/index_walk.h"
#include "engine/records/index/indexed_paths.h"
#include "engine/records/index/path_number.h"
#include "query/exec/index/index_condition.h"
#include "query/exec/positions/page_position.h"
#include "query/exec/positions/page_shape.h"

namespace lapse::query::exec {

// Immutable. Threads: any.
class IndexOrder {
 public:
  // `with_undefined`: the query asks for items without a value, too. Returns nullopt if the index has no such order.
  static std::optional<IndexOrder> Find(const PageShape& shape, bool with_undefined, const KnownPaths& known);

  // Returns the order by one path that the index has.
  static IndexOrder By(const engine::PathNumber& number, bool backward);

  engine::PathNumber path() const { return path_; }
  engine::IndexRange::Direction direction() const { return direction_; }
  bool backward() const { return direction_ == engine::IndexRange::Direction::kBackward; }

  // The bytes that the entries of rows with these keys begin with, up to the first key that an entry does not hold in
  // full. Exact means that the entries hold all keys in full, that no other rows have the same bytes, and that rows
  // which share them come in the order of the page.
  struct Prefix {
    std::string bytes;
    bool exact = false;
  };
  Prefix PrefixOf(std::span<const Value> keys) const;

 private:
  engine::PathNumber path_{};
  engine::IndexRange::Direction direction_ = engine::IndexRange::Direction::kForward;
  std::vector<bool> inverted_;  // for each key: the index has it in the opposite direction
  bool ties_fit_ = true;        // items with equal bytes come in the order of the page
};

}  // namespace lapse::query::exec
