#pragma once

#include "query/exec/eval/evaluator.h"
#include "query/exec/stages/stage.h"

namespace lapse::query::exec {

// Puts the value of an expression into a slot. Drops rows for which it is undefined.
class ProjectStage : public InnerStage {
 public:
  ProjectStage(const plan::Operator& op, Evaluator* evaluator, Stage* next)
      : InnerStage(next), op_(op), evaluator_(evaluator) {}

  Flow Push() override {
    const Value value = evaluator_->Evaluate(*op_.expression);
    if (evaluator_->failed()) return Flow::kStop;
    if (value.IsUndefined()) return Flow::kMore;
    evaluator_->set_slot(op_.slot, value);
    return next_->Push();
  }

 private:
  const plan::Operator& op_;
  Evaluator* const evaluator_;
};

}  // namespace lapse::query::exec
