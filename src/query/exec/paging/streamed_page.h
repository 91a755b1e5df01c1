// The end of a pipeline whose rows go straight onto the page.
#pragma once

#include <cstdint>
#include <optional>

#include "query/exec/eval/evaluator.h"
#include "query/exec/paging/result_sink.h"
#include "query/exec/positions/page_position.h"
#include "query/exec/positions/page_shape.h"
#include "query/exec/stages/stage.h"

namespace lapse::query::exec {

// Threads: one.
class StreamedPage : public Stage {
 public:
  // `from`: where the page begins; null: at the start.
  StreamedPage(const PageShape& shape, const PagePosition* from, int results_max, Evaluator* evaluator,
               const TakeResult& take);

  // Begins the rows of this item.
  void BeginItem(engine::ItemNumber item, int64_t milli_ru);
  Flow Push() override;
  Flow Finish() override { return Flow::kMore; }
  void Reset() override {}

  // Whether the query has returned all its rows.
  bool complete() const { return limit_left_ == 0; }
  // Whether the page ended before a row. The next page begins with that row.
  bool full() const { return full_; }
  // Returns the continuation of a scan that resumes at `feed`.
  std::string ResumeAt(std::string feed) const;

 private:
  const plan::Slot result_;
  const TieBreak skip_until_;  // rows of this item that an earlier page returned
  const int results_max_;
  Evaluator* const evaluator_;
  const TakeResult& take_;
  uint64_t offset_left_;
  std::optional<uint64_t> limit_left_;
  int results_ = 0;
  TieBreak tie_break_;  // of the next row
  bool full_ = false;
};

}  // namespace lapse::query::exec
