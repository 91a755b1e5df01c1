#pragma once

#include "query/exec/eval/evaluator.h"
#include "query/exec/stages/stage.h"

namespace lapse::query::exec {

// Passes the rows for which an expression is true.
class FilterStage : public InnerStage {
 public:
  FilterStage(const plan::Operator& op, Evaluator* evaluator, Stage* next)
      : InnerStage(next), condition_(*op.expression), evaluator_(evaluator) {}

  Flow Push() override {
    const bool passes = evaluator_->IsTrue(condition_);
    if (evaluator_->failed()) return Flow::kStop;
    return passes ? next_->Push() : Flow::kMore;
  }

 private:
  const plan::Expression& condition_;
  Evaluator* const evaluator_;
};

}  // namespace lapse::query::exec
