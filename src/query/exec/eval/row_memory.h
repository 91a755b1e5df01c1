// What a row makes in the evaluator's arena is free again after the row, so that many rows of one item need no more
// memory than one. Who keeps something of a row copies it.
#pragma once

#include "query/exec/eval/evaluator.h"

namespace lapse::query::exec {

// From a row on to its end. Threads: one.
class RowMemory {
 public:
  explicit RowMemory(Evaluator* evaluator) : arena_(&evaluator->arena()), mark_(arena_->mark()) {}
  ~RowMemory() { arena_->Rewind(mark_); }
  RowMemory(const RowMemory&) = delete;
  RowMemory& operator=(const RowMemory&) = delete;

 private:
  Arena* const arena_;
  const Arena::Mark mark_;
};

}  // namespace lapse::query::exec
