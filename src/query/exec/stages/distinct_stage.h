#pragma once

#include "query/exec/eval/evaluator.h"
#include "query/exec/stages/stage.h"
#include "query/values/copy.h"
#include "query/values/value_set.h"

namespace lapse::query::exec {

// Passes only the first of the rows with the same value in a slot.
class DistinctStage : public InnerStage {
 public:
  DistinctStage(const plan::Operator& op, Evaluator* evaluator, Arena* lasting, Stage* next)
      : InnerStage(next), slot_(op.slot), evaluator_(evaluator), lasting_(lasting), seen_(NewSet()) {}

  Flow Push() override {
    const Value value = evaluator_->slot(slot_);
    if (seen_.Contains(value)) return Flow::kMore;
    seen_.Add(CopyInto(lasting_, value));
    if (lasting_->exhausted()) {
      evaluator_->FailForMemory(*lasting_);
      return Flow::kStop;
    }
    return next_->Push();
  }
  void Reset() override {
    seen_ = NewSet();
    InnerStage::Reset();
  }

 private:
  ValueSet NewSet() { return {lasting_, evaluator_->context().hash_seed()}; }

  const plan::Slot slot_;
  Evaluator* const evaluator_;
  Arena* const lasting_;
  ValueSet seen_;
};

}  // namespace lapse::query::exec
