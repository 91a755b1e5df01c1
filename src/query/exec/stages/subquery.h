// Sub-queries as pipelines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "query/exec/eval/evaluator.h"
#include "query/exec/stages/pipeline.h"
#include "query/exec/stages/stage.h"
#include "query/plan/expression.h"
#include "query/values/builder.h"

namespace lapse::query::exec {

// Threads: one. Its results live in the evaluator's arena. What it keeps while it runs lives in arenas of its own.
class Subquery : public SubqueryRunner {
 public:
  Subquery(const plan::Query& query, Evaluator* evaluator);

  Value Run(plan::SubqueryMode mode) override;

 private:
  // Collects the results as the mode requires.
  class Results : public Stage {
   public:
    Results(plan::Slot slot, Evaluator* evaluator) : slot_(slot), evaluator_(evaluator), kept_(evaluator->NewArena()) {}

    void Begin(plan::SubqueryMode mode);
    Value Finished();

    Flow Push() override;
    Flow Finish() override { return Flow::kMore; }
    void Reset() override {}

   private:
    struct Block {
      static constexpr size_t kValues = 32;
      Block* next = nullptr;
      size_t count = 0;
      std::array<Value, kValues> values;
    };
    void KeepOne(Value result);
    void Keep(Value result);

    const plan::Slot slot_;
    Evaluator* const evaluator_;
    const std::unique_ptr<Arena> kept_;  // for the results
    plan::SubqueryMode mode_ = plan::SubqueryMode::kScalar;
    uint64_t count_ = 0;
    Value one_;
    Block* first_ = nullptr;  // of all results
    Block* last_ = nullptr;
  };

  const std::unique_ptr<Arena> lasting_;
  Results results_;
  Pipeline pipeline_;
};

}  // namespace lapse::query::exec
