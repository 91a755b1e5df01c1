// Frees what a row made in the evaluator's arena when the row ends, so that many rows of one item need no more memory
// than one. A stage that keeps a value of a row copies it.
#pragma once

#include "query/exec/eval/evaluator.h"

namespace lapse::query::exec {

// Lives from the start of a row to its end. Threads: one.
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
