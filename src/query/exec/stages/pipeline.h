// The stages of a chain of operators, from its source to the sink.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "query/exec/eval/evaluator.h"
#include "query/exec/stages/stage.h"
#include "query/plan/operator.h"

namespace lapse::query::exec {

class AggregateStage;

// Threads: one. Must not outlive the plan, the evaluator, the arena and the sink.
class Pipeline {
 public:
  // Stages keep their rows in `lasting`, which must not be rewound while the pipeline runs. No operator of the chain
  // sorts: pages do that (ordered_page.h).
  Pipeline(const plan::Operator* last, Evaluator* evaluator, Arena* lasting, Stage* sink);
  // Sets the mark whenever a row passes this operator of the chain.
  struct Mark {
    const plan::Operator* after = nullptr;
    bool* mark = nullptr;
  };
  Pipeline(const plan::Operator* last, Evaluator* evaluator, Arena* lasting, const Mark& mark, Stage* sink);
  ~Pipeline();

  // Whether it reads items. Otherwise it begins with one row.
  bool scans() const { return scan_ != nullptr; }
  // Requires scans(). The slot that items arrive in.
  plan::Slot item_slot() const { return scan_->slot; }

  // What the first stage that retains rows keeps: groups, or something else. kNothing: at most the sink keeps any.
  enum class Keeps : uint8_t { kNothing, kGroups, kOthers };
  Keeps keeps() const { return keeps_; }
  // Returns the first stage that makes groups, even if another stage before it retains rows. Null: there is none.
  AggregateStage* groups() const { return groups_; }

  // Runs the whole pipeline from one row.
  void RunOnce();
  // Pushes one item, which is in its slot.
  Flow Push() { return first_->Push(); }
  // Pushes an item that is known to pass the first filters of the chain.
  Flow PushPastFilters() { return past_filters_->Push(); }
  // Pushes this many items when the plan reads none of them.
  Flow PushTimes(uint64_t items) { return first_->PushTimes(items); }
  // Call it after the last item.
  Flow Finish() { return first_->Finish(); }

 private:
  std::unique_ptr<Stage> NewStage(const plan::Operator& op, Stage* next);

  Evaluator* const evaluator_;
  Arena* const lasting_;
  const plan::Operator* scan_ = nullptr;
  Keeps keeps_ = Keeps::kNothing;
  AggregateStage* groups_ = nullptr;
  std::vector<std::unique_ptr<Stage>> stages_;  // last stage first
  Stage* first_;
  Stage* past_filters_;  // the first stage after the leading filters
};

}  // namespace lapse::query::exec
