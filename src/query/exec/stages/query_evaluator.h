// The evaluator of a whole query. Sub-queries run as pipelines.
#pragma once

#include "query/exec/eval/evaluator.h"
#include "query/exec/stages/subquery.h"

namespace lapse::query::exec {

// Threads: one. The plan must outlive it.
class QueryEvaluator : public Evaluator {
 public:
  QueryEvaluator(plan::Slot slots, const EvalSettings& settings) : Evaluator(slots, settings, &NewPipeline) {}

 private:
  static std::unique_ptr<SubqueryRunner> NewPipeline(const plan::Query& query, Evaluator* evaluator) {
    return std::make_unique<Subquery>(query, evaluator);
  }
};

}  // namespace lapse::query::exec
