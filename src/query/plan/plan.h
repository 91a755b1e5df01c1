// A query that can be optimised and run. It is immutable, so several threads may read it.
#pragma once

#include <memory>
#include <utility>

#include "query/plan/operator.h"
#include "query/tree_arena.h"

namespace lapse::query::plan {

// Owns all operators and expressions, and the bytes of their constants and names.
class Plan {
 public:
  Plan(std::unique_ptr<TreeArena> arena, const Query& query, Slot slot_count)
      : arena_(std::move(arena)), query_(query), slot_count_(slot_count) {}

  const Query& query() const { return query_; }
  // The number of slots in a row.
  Slot slot_count() const { return slot_count_; }

 private:
  std::unique_ptr<TreeArena> arena_;
  Query query_;
  Slot slot_count_;
};

}  // namespace lapse::query::plan
