#pragma once

#include <memory>

#include "query/exec/eval/evaluator.h"
#include "query/exec/eval/row_memory.h"
#include "query/exec/stages/pipeline.h"
#include "query/exec/stages/stage.h"

namespace lapse::query::exec {

// Runs a query for each row, and emits a row for each result, with the result in a slot.
class ApplyStage : public InnerStage {
 public:
  ApplyStage(const plan::Operator& op, Evaluator* evaluator, Stage* next)
      : InnerStage(next),
        evaluator_(evaluator),
        lasting_(evaluator->NewArena()),
        results_(*op.query, op.slot, evaluator, next),
        pipeline_(op.query->last, evaluator, lasting_.get(), &results_) {}

  Flow Push() override {
    lasting_->Rewind({});
    results_.Begin();
    pipeline_.RunOnce();
    return evaluator_->failed() ? Flow::kStop : results_.flow();
  }

 private:
  // Passes each result on as a row.
  class Results : public Stage {
   public:
    Results(const plan::Query& query, plan::Slot slot, Evaluator* evaluator, Stage* next)
        : from_(query.result), to_(slot), evaluator_(evaluator), next_(next) {}

    void Begin() { flow_ = Flow::kMore; }
    Flow flow() const { return flow_; }

    Flow Push() override {
      const RowMemory memory(evaluator_);
      evaluator_->set_slot(to_, evaluator_->slot(from_));
      flow_ = next_->Push();
      return flow_;
    }
    Flow Finish() override { return flow_; }
    void Reset() override {}

   private:
    const plan::Slot from_;
    const plan::Slot to_;
    Evaluator* const evaluator_;
    Stage* const next_;
    Flow flow_ = Flow::kMore;
  };

  Evaluator* const evaluator_;
  const std::unique_ptr<Arena> lasting_;  // for what the query keeps while it runs
  Results results_;
  Pipeline pipeline_;
};

}  // namespace lapse::query::exec
