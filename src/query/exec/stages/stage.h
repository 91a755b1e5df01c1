// A running operator: rows are pushed into it, and it pushes rows into the next one.
//
// The row itself is in the evaluator's slots, which all stages share. So a stage that gives several rows for one loops,
// sets its slot and pushes; what it made for a row is free again when the push returns.
#pragma once

#include <cstdint>

namespace lapse::query::exec {

// Whether whoever pushes goes on.
enum class Flow : bool { kMore, kStop };

// Threads: one.
class Stage {
 public:
  virtual ~Stage() = default;

  // Takes the row that is in the slots.
  virtual Flow Push() = 0;
  // Takes this row so many times.
  virtual Flow PushTimes(uint64_t times) {
    for (; times > 0; --times) {
      if (Push() == Flow::kStop) return Flow::kStop;
    }
    return Flow::kMore;
  }
  // There are no more rows.
  virtual Flow Finish() = 0;
  // Forgets all rows: another run begins.
  virtual void Reset() = 0;
};

// One that gives rows to another.
class InnerStage : public Stage {
 public:
  explicit InnerStage(Stage* next) : next_(next) {}

  Flow Finish() override { return next_->Finish(); }
  void Reset() override { next_->Reset(); }

 protected:
  Stage* const next_;
};

}  // namespace lapse::query::exec
