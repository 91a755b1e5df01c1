#include "query/exec/single_item/match.h"

#include "query/exec/stages/pipeline.h"
#include "query/exec/stages/query_evaluator.h"
#include "query/exec/stages/stage.h"

namespace lapse::query::exec {
namespace {

// The caller may block other work meanwhile, and nothing else bounds the rows of JOINs and sub-queries.
constexpr uint64_t kRowsMax = 65'536;
// A property lookup compares the names before it and skips their values.
constexpr size_t kBytesInALookStep = 64;

// Stops at the first row.
class AnyRow : public Stage {
 public:
  Flow Push() override {
    found_ = true;
    return Flow::kStop;
  }
  Flow Finish() override { return Flow::kMore; }
  void Reset() override {}
  bool found() const { return found_; }

 private:
  bool found_ = false;
};

}  // namespace

bool IsFilterOfItems(const plan::Query& query) {
  const plan::Operator* op = query.last;
  for (; op->input != nullptr; op = op->input) {
    switch (op->kind) {
      case plan::OperatorKind::kAggregate:
      case plan::OperatorKind::kSort:
      case plan::OperatorKind::kDistinct:
      case plan::OperatorKind::kSlice: return false;
      default: break;
    }
  }
  return op->kind == plan::OperatorKind::kScan;
}

Result<bool> Matches(const plan::Plan& plan, const ItemView* item, size_t item_bytes, const EvalSettings& settings,
                     uint64_t* steps) {
  EvalSettings counted = settings;
  counted.steps_max = *steps;
  QueryEvaluator evaluator(plan.slot_count(), counted);
  evaluator.set_rows_max(kRowsMax);
  AnyRow rows;
  Pipeline pipeline(plan.query().last, &evaluator, &evaluator.arena(), &rows);
  evaluator.SetItem(pipeline.item_slot(), item, item_bytes / kBytesInALookStep);
  pipeline.Push();
  *steps = evaluator.context().steps_left();
  LAPSE_RETURN_IF_ERROR(evaluator.status());
  return rows.found();
}

}  // namespace lapse::query::exec
