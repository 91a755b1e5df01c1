#pragma once

#include "query/exec/stages/stage.h"

namespace lapse::query::exec {

// Records that a row passed.
class MarkStage : public InnerStage {
 public:
  MarkStage(bool* mark, Stage* next) : InnerStage(next), mark_(mark) {}

  Flow Push() override {
    *mark_ = true;
    return next_->Push();
  }
  Flow PushTimes(uint64_t times) override { return next_->PushTimes(times); }

 private:
  bool* const mark_;
};

}  // namespace lapse::query::exec
