#include "query/exec/stages/subquery.h"

#include "query/values/copy.h"

namespace lapse::query::exec {

using plan::SubqueryMode;

Subquery::Subquery(const plan::Query& query, Evaluator* evaluator)
    : lasting_(evaluator->NewArena()),
      results_(query.result, evaluator),
      pipeline_(query.last, evaluator, lasting_.get(), &results_) {}

Value Subquery::Run(SubqueryMode mode) {
  lasting_->Rewind({});
  results_.Begin(mode);
  pipeline_.RunOnce();
  return results_.Finished();
}

void Subquery::Results::Begin(SubqueryMode mode) {
  mode_ = mode;
  count_ = 0;
  one_ = Value();
  kept_->Rewind({});
  first_ = nullptr;
  last_ = nullptr;
}

// If there are several results, keeps the last one.
void Subquery::Results::KeepOne(Value result) {
  kept_->Rewind({});
  one_ = CopyInto(kept_.get(), result);
}

void Subquery::Results::Keep(Value result) {
  if (last_ == nullptr || last_->count == Block::kValues) {
    Block* const block = NewArray<Block>(kept_.get(), 1);
    if (block == nullptr) return;  // the arena is exhausted
    (last_ == nullptr ? first_ : last_->next) = block;
    last_ = block;
  }
  last_->values[last_->count++] = CopyInto(kept_.get(), result);
}

Flow Subquery::Results::Push() {
  ++count_;
  if (mode_ == SubqueryMode::kExists) return Flow::kStop;
  const Value result = evaluator_->slot(slot_);
  if (mode_ == SubqueryMode::kArray) {
    Keep(result);
  } else {
    KeepOne(result);
  }
  if (kept_->exhausted()) evaluator_->FailForMemory(*kept_);
  if (mode_ == SubqueryMode::kScalar && count_ > 1) {
    evaluator_->Fail({Code::kInvalidArgument, "A scalar subquery may give one result only."});
  }
  return evaluator_->failed() || mode_ == SubqueryMode::kFirst ? Flow::kStop : Flow::kMore;
}

Value Subquery::Results::Finished() {
  if (mode_ == SubqueryMode::kExists) return Value::Bool(count_ > 0);
  if (mode_ != SubqueryMode::kArray) return CopyInto(&evaluator_->arena(), one_);
  ArrayBuilder array(&evaluator_->arena());
  for (const Block* block = first_; block != nullptr; block = block->next) {
    for (size_t i = 0; i < block->count; ++i) array.Append(block->values[i]);
  }
  return array.Finish();
}

}  // namespace lapse::query::exec
