#pragma once

#include <optional>

#include "query/exec/eval/evaluator.h"
#include "query/exec/eval/row_memory.h"
#include "query/exec/stages/stage.h"

namespace lapse::query::exec {

// Emits a row for each element of an array, with the element in a slot. A value that is not an array gives no rows.
class UnnestStage : public InnerStage {
 public:
  UnnestStage(const plan::Operator& op, Evaluator* evaluator, Stage* next)
      : InnerStage(next), op_(op), evaluator_(evaluator) {}

  Flow Push() override {
    const Value array = evaluator_->Evaluate(*op_.expression);
    if (evaluator_->failed()) return Flow::kStop;
    if (!array.IsArray()) return Flow::kMore;
    Elements elements(array);
    while (std::optional<Value> element = elements.Next()) {
      if (!evaluator_->Tick()) return Flow::kStop;
      const RowMemory memory(evaluator_);
      evaluator_->set_slot(op_.slot, *element);
      if (next_->Push() == Flow::kStop) return Flow::kStop;
    }
    return Flow::kMore;
  }

 private:
  const plan::Operator& op_;
  Evaluator* const evaluator_;
};

}  // namespace lapse::query::exec
