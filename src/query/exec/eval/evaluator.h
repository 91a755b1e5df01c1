// Evaluates expressions over the row in its slots.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/status.h"
#include "query/exec/eval/item_view.h"
#include "query/exec/scheduling/page_watch.h"
#include "query/functions/eval_context.h"
#include "query/plan/expression.h"
#include "query/plan/operator.h"

namespace lapse::query::exec {

class Evaluator;

// A sub-query of an expression. It runs once for each row of the enclosing query, and sees that row.
class SubqueryRunner {
 public:
  virtual ~SubqueryRunner() = default;
  // Runs the sub-query. The value lives in the evaluator's arena.
  virtual Value Run(plan::SubqueryMode mode) = 0;
};
using NewSubqueryRunner = std::unique_ptr<SubqueryRunner> (*)(const plan::Query& query, Evaluator* evaluator);

// Threads: one. The plan must outlive it. Fails: status() holds the error. Every value made after a failure is
// meaningless, so the code that drives the rows checks status() and stops.
class Evaluator {
 public:
  // Without `new_subquery`, an expression with a sub-query fails (stages/query_evaluator.h supplies one).
  Evaluator(plan::Slot slots, const EvalSettings& settings, NewSubqueryRunner new_subquery = nullptr);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  Value Evaluate(const plan::Expression& expression) {
    return context_.counts_steps() ? EvaluateCounted(expression) : ValueOf(expression);
  }
  bool IsTrue(const plan::Expression& expression) { return Evaluate(expression).IsTrue(); }

  Value slot(plan::Slot slot) const { return slots_[slot]; }
  void set_slot(plan::Slot slot, Value value) { slots_[slot] = value; }
  // Puts the item into the slot. If steps are counted, each property lookup costs `look_steps`.
  void SetItem(plan::Slot slot, const ItemView* item, uint64_t look_steps = 0);

  // One item may give any number of rows, so stages that make rows check this watch, too. Null: they do not.
  void set_watch(const PageWatch* watch) { watch_ = watch; }
  // At most this many such rows are made.
  void set_rows_max(uint64_t rows_max) { ticks_max_ = rows_max; }
  // Call it before each such row. Returns false if no further rows may be made.
  bool Tick() {
    if (ticks_ == ticks_max_) Fail({Code::kTooLarge, "The query makes more rows of a single item than it may."});
    if (++ticks_ % kTicksBetweenLooks == 0 && watch_ != nullptr) Fail(watch_->Look());
    return !failed();
  }

  EvalContext& context() { return context_; }
  // Holds the values that a row makes. A stage that keeps one of them copies it (row_memory.h).
  Arena& arena() { return context_.arena(); }
  std::unique_ptr<Arena> NewArena() { return context_.NewArena(); }

  bool failed() const { return !failure_.ok() || context_.failed(); }
  Status status() const { return failure_.ok() ? context_.status() : failure_; }
  // Fails because a stage has no more room for the rows that it keeps.
  void FailForMemory(const Arena& exhausted) {
    Fail(exhausted.refused_by_pool() ? PoolInUse()
                                     : Status(Code::kTooLarge, "The query needs more memory than a query may have."));
  }
  // The first failure is kept.
  void Fail(Status why) {
    if (failure_.ok()) failure_ = std::move(why);
  }

 private:
  static constexpr uint64_t kTicksBetweenLooks = 1024;

  Value ValueOf(const plan::Expression& expression);
  Value EvaluateCounted(const plan::Expression& expression);
  Value Variable(plan::Slot slot);
  Value PropertyOf(const plan::Expression& expression);
  bool EvaluateAll(std::span<const plan::Expression* const> expressions, std::span<Value> values);
  Value Call(const plan::Expression& expression);
  Value Object(const plan::Expression& expression);
  Value Array(const plan::Expression& expression);
  Value And(const plan::Expression& expression);
  Value Or(const plan::Expression& expression);
  Value Coalesce(const plan::Expression& expression);
  Value Choose(const plan::Expression& expression);
  Value RunSubquery(const plan::Expression& expression);
  bool IsItem(plan::Slot slot) const { return item_ != nullptr && slot == item_slot_; }

  const NewSubqueryRunner new_subquery_;
  EvalContext context_;
  std::vector<Value> slots_;
  plan::Slot item_slot_ = 0;
  const ItemView* item_ = nullptr;
  uint64_t look_steps_ = 0;
  Value whole_item_;  // undefined until it is made
  Arena item_arena_;  // for the whole item, which all its rows share
  Status failure_;
  const PageWatch* watch_ = nullptr;
  uint64_t ticks_ = 0;
  uint64_t ticks_max_ = ~uint64_t{0};
  std::unordered_map<const plan::Query*, std::unique_ptr<SubqueryRunner>> subqueries_;  // made when first run
};

}  // namespace lapse::query::exec
