// The value of an expression for a row.
#pragma once

#include <span>

#include "query/functions/eval_context.h"
#include "query/plan/expression.h"

namespace lapse::query::exec {

// The values of a row, by slot. Sub-queries and LET write into slots of their own.
using Row = std::span<Value>;

// Runs a sub-query for the row around it. A part of the execution that knows operators; an expression does not.
class SubqueryRunner {
 public:
  virtual ~SubqueryRunner() = default;
  // What the mode makes of the results. A failure is in the runner's hands: it is asked for after each row, as the
  // context is.
  virtual Value Run(const plan::Query& query, plan::SubqueryMode mode, Row row) = 0;
};

// Recurses as deep as the expression is, which the front end has bounded.
// Threads: one. What it makes is in the context's arena. Fails: EvalContext::status() tells after a row.
class Evaluator {
 public:
  // Without a runner the expressions have no sub-queries.
  explicit Evaluator(EvalContext* context, SubqueryRunner* subqueries = nullptr)
      : context_(*context), subqueries_(subqueries) {}

  Value Evaluate(const plan::Expression& expression, Row row);

 private:
  Value Call(const plan::Expression& call, Row row);
  Value MakeObject(const plan::Expression& object, Row row);
  Value MakeArray(const plan::Expression& array, Row row);
  Value Every(const plan::Expression& terms, Row row);
  Value Any(const plan::Expression& terms, Row row);
  Value FirstDefined(const plan::Expression& choices, Row row);
  Value Choose(const plan::Expression& choice, Row row);

  EvalContext& context_;
  SubqueryRunner* subqueries_;
};

}  // namespace lapse::query::exec
