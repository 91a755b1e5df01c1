// A running operator: rows are pushed into it, and it pushes rows into the next one.
//
// The row itself is in the evaluator's slots, which all stages share. A stage that makes several rows from one sets its
// slot and pushes in a loop. What it made for a row is freed when the push returns.
#pragma once

#include <cstdint>

namespace lapse::query::exec {

// Whether the caller should push more rows.
enum class Flow : bool { kMore, kStop };

// Threads: one.
class Stage {
 public:
  virtual ~Stage() = default;

  // Takes the row in the slots.
  virtual Flow Push() = 0;
  // Takes this row `times` times.
  virtual Flow PushTimes(uint64_t times) {
    for (; times > 0; --times) {
      if (Push() == Flow::kStop) return Flow::kStop;
    }
    return Flow::kMore;
  }
  // Called when there are no more rows.
  virtual Flow Finish() = 0;
  // Forgets all rows for a new run.
  virtual void Reset() = 0;
};

// A stage that passes rows to another one.
class InnerStage : public Stage {
 public:
  explicit InnerStage(Stage* next) : next_(next) {}

  Flow Finish() override { return next_->Finish(); }
  void Reset() override { next_->Reset(); }

 protected:
  Stage* const next_;
};

}  // namespace lapse::query::exec
