// The stages of a chain of operators, from its source to the one that takes its rows.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "query/exec/eval/evaluator.h"
#include "query/exec/stages/stage.h"
#include "query/plan/operator.h"

namespace lapse::query::exec {

class AggregateStage;

// Threads: one. Must not outlive plan, evaluator, arena and sink.
class Pipeline {
 public:
  // Stages that keep rows keep them in `lasting`: it is rewound by nobody while the pipeline runs. No operator of the
  // chain sorts: pages do that (ordered_page.h).
  Pipeline(const plan::Operator* last, Evaluator* evaluator, Arena* lasting, Stage* sink);
  // Sets the mark whenever a row passes this operator of the chain.
  struct Mark {
    const plan::Operator* after = nullptr;
    bool* mark = nullptr;
  };
  Pipeline(const plan::Operator* last, Evaluator* evaluator, Arena* lasting, const Mark& mark, Stage* sink);
  ~Pipeline();

  // Whether it wants items; otherwise it begins with one row.
  bool scans() const { return scan_ != nullptr; }
  // The slot that items come in. Only if it scans.
  plan::Slot item_slot() const { return scan_->slot; }

  // The first stage that keeps something of the rows: groups, or something else; none: what takes the rows does.
  enum class Keeps : uint8_t { kNothing, kGroups, kOthers };
  Keeps keeps() const { return keeps_; }
  // The first stage that makes groups, whether another one that keeps something is before it or not; null: none does.
  AggregateStage* groups() const { return groups_; }

  // A whole run, from one row.
  void RunOnce();
  // One item, which is in its slot.
  Flow Push() { return first_->Push(); }
  // One that passes the filters it would come to first.
  Flow PushPastFilters() { return past_filters_->Push(); }
  // So many items, of which nothing is asked.
  Flow PushTimes(uint64_t items) { return first_->PushTimes(items); }
  // After the last item.
  Flow Finish() { return first_->Finish(); }

 private:
  std::unique_ptr<Stage> NewStage(const plan::Operator& op, Stage* next);

  Evaluator* const evaluator_;
  Arena* const lasting_;
  const plan::Operator* scan_ = nullptr;
  Keeps keeps_ = Keeps::kNothing;
  AggregateStage* groups_ = nullptr;
  std::vector<std::unique_ptr<Stage>> stages_;  // the last one first
  Stage* first_;
  Stage* past_filters_;  // the first one but for filters
};

}  // namespace lapse::query::exec
