#include "query/exec/subquery.h"

#include <vector>

namespace lapse::query::exec {

using plan::SubqueryMode;

Subquery::Subquery(const plan::Query& query, Evaluator* evaluator)
    : results_(query.result, evaluator), pipeline_(query.last, evaluator, &evaluator->arena(), &results_) {}

Value Subquery::Run(SubqueryMode mode) {
  results_.Begin(mode);
  pipeline_.RunOnce();
  return results_.Finished();
}

void Subquery::Results::Begin(SubqueryMode mode) {
  mode_ = mode;
  count_ = 0;
  one_ = Value();
  all_.clear();
}

Flow Subquery::Results::Push() {
  ++count_;
  const Value result = evaluator_->slot(slot_);
  switch (mode_) {
    case SubqueryMode::kExists: return Flow::kStop;
    case SubqueryMode::kFirst: one_ = result; return Flow::kStop;
    case SubqueryMode::kLast: one_ = result; break;
    case SubqueryMode::kArray: all_.push_back(result); break;
    case SubqueryMode::kScalar:
      one_ = result;
      if (count_ > 1) {
        evaluator_->Fail({Code::kInvalidArgument, "A scalar subquery may give one result only."});
        return Flow::kStop;
      }
      break;
  }
  return evaluator_->failed() ? Flow::kStop : Flow::kMore;
}

Value Subquery::Results::Finished() {
  if (mode_ == SubqueryMode::kExists) return Value::Bool(count_ > 0);
  if (mode_ != SubqueryMode::kArray) return one_;
  ArrayBuilder array(&evaluator_->arena());
  for (const Value& value : all_) array.Append(value);
  return array.Finish();
}

}  // namespace lapse::query::exec
