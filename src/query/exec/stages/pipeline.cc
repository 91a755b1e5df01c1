#include "query/exec/stages/pipeline.h"

#include "query/exec/stages/aggregate_stage.h"
#include "query/exec/stages/apply_stage.h"
#include "query/exec/stages/distinct_stage.h"
#include "query/exec/stages/filter_stage.h"
#include "query/exec/stages/mark_stage.h"
#include "query/exec/stages/project_stage.h"
#include "query/exec/stages/slice_stage.h"
#include "query/exec/stages/unnest_stage.h"

namespace lapse::query::exec {

using plan::Operator;
using plan::OperatorKind;

Pipeline::Pipeline(const Operator* last, Evaluator* evaluator, Arena* lasting, Stage* sink)
    : Pipeline(last, evaluator, lasting, Mark(), sink) {}

Pipeline::Pipeline(const Operator* last, Evaluator* evaluator, Arena* lasting, const Mark& mark, Stage* sink)
    : evaluator_(evaluator), lasting_(lasting), first_(sink), past_filters_(sink) {
  for (const Operator* op = last; op != nullptr; op = op->input) {
    if (op->kind == OperatorKind::kScan) scan_ = op;
    if (op == mark.after) {
      stages_.push_back(std::make_unique<MarkStage>(mark.mark, first_));
      first_ = stages_.back().get();
      past_filters_ = first_;
    }
    std::unique_ptr<Stage> stage = NewStage(*op, first_);
    if (stage == nullptr) continue;
    first_ = stage.get();
    stages_.push_back(std::move(stage));
    if (op->kind != OperatorKind::kFilter) past_filters_ = first_;
  }
}

Pipeline::~Pipeline() = default;

void Pipeline::RunOnce() {
  first_->Reset();
  first_->Push();
  if (!evaluator_->failed()) first_->Finish();
}

std::unique_ptr<Stage> Pipeline::NewStage(const Operator& op, Stage* next) {
  switch (op.kind) {
    case OperatorKind::kOnce:
    case OperatorKind::kScan: return nullptr;  // sources: rows come from outside
    case OperatorKind::kProject: return std::make_unique<ProjectStage>(op, evaluator_, next);
    case OperatorKind::kUnnest: return std::make_unique<UnnestStage>(op, evaluator_, next);
    case OperatorKind::kApply: return std::make_unique<ApplyStage>(op, evaluator_, next);
    case OperatorKind::kFilter: return std::make_unique<FilterStage>(op, evaluator_, next);
    case OperatorKind::kAggregate: {
      auto groups = std::make_unique<AggregateStage>(op, evaluator_, lasting_, next);
      groups_ = groups.get();
      keeps_ = Keeps::kGroups;
      return groups;
    }
    case OperatorKind::kDistinct:
      keeps_ = Keeps::kOthers;
      return std::make_unique<DistinctStage>(op, evaluator_, lasting_, next);
    case OperatorKind::kSlice: keeps_ = Keeps::kOthers; return std::make_unique<SliceStage>(op, next);
    case OperatorKind::kSort: break;
  }
  evaluator_->Fail({Code::kInternal, "an operator that cannot stand here"});
  return nullptr;
}

}  // namespace lapse::query::exec
