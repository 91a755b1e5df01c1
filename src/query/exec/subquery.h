// A query inside another one. It runs once for each row of the query around it, and sees that row.
#pragma once

#include "query/exec/evaluator.h"
#include "query/exec/pipeline.h"
#include "query/exec/stage.h"
#include "query/plan/expression.h"
#include "query/values/builder.h"

namespace lapse::query::exec {

// Threads: one. What it gives lives in the evaluator's arena.
class Subquery {
 public:
  Subquery(const plan::Query& query, Evaluator* evaluator);

  Value Run(plan::SubqueryMode mode);

 private:
  // Takes the results, as the mode says.
  class Results : public Stage {
   public:
    Results(plan::Slot slot, Evaluator* evaluator) : slot_(slot), evaluator_(evaluator) {}

    void Begin(plan::SubqueryMode mode);
    Value Finished();

    Flow Push() override;
    Flow Finish() override { return Flow::kMore; }
    void Reset() override {}

   private:
    const plan::Slot slot_;
    Evaluator* const evaluator_;
    plan::SubqueryMode mode_ = plan::SubqueryMode::kScalar;
    uint64_t count_ = 0;
    Value one_;
    std::vector<Value> all_;
  };

  Results results_;
  Pipeline pipeline_;
};

}  // namespace lapse::query::exec
