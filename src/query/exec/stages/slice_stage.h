#pragma once

#include <cstdint>

#include "query/exec/stages/stage.h"
#include "query/plan/operator.h"

namespace lapse::query::exec {

// Skips the first rows, and limits how many follow.
class SliceStage : public InnerStage {
 public:
  SliceStage(const plan::Operator& op, Stage* next) : InnerStage(next), op_(op) {}

  Flow Push() override {
    const uint64_t place = rows_++;
    if (place < op_.offset) return Flow::kMore;
    if (op_.limit.has_value() && place - op_.offset >= *op_.limit) return Flow::kStop;
    return next_->Push();
  }
  void Reset() override {
    rows_ = 0;
    InnerStage::Reset();
  }

 private:
  const plan::Operator& op_;
  uint64_t rows_ = 0;
};

}  // namespace lapse::query::exec
