#include "query/exec/paging/streamed_page.h"

#include <utility>

namespace lapse::query::exec {

StreamedPage::StreamedPage(const PageShape& shape, const PagePosition* from, int results_max, Evaluator* evaluator,
                           const TakeResult& take)
    : result_(shape.result),
      skip_until_(from == nullptr ? TieBreak() : from->tie_break),
      results_max_(results_max),
      evaluator_(evaluator),
      take_(take),
      offset_left_(from == nullptr ? shape.offset : from->offset),
      limit_left_(from == nullptr ? shape.limit : from->limit) {}

void StreamedPage::BeginItem(engine::ItemNumber item, int64_t) {
  tie_break_ = {item, 0};
}

Flow StreamedPage::Push() {
  if (complete()) return Flow::kStop;
  if (tie_break_.item == skip_until_.item && tie_break_.row < skip_until_.row) {
    ++tie_break_.row;
    return Flow::kMore;
  }
  if (offset_left_ > 0) {
    --offset_left_;
    ++tie_break_.row;
    return Flow::kMore;
  }
  const engine::Place place = results_ == 0 ? engine::Place::kMust : engine::Place::kIfItFits;
  // Only when another row is in sight does the page know that there is more.
  full_ = results_ >= results_max_ || !take_(evaluator_->slot(result_), place);
  if (full_) return Flow::kStop;
  ++results_;
  ++tie_break_.row;
  if (limit_left_.has_value()) --*limit_left_;
  return complete() ? Flow::kStop : Flow::kMore;
}

std::string StreamedPage::ResumeAt(std::string feed) const {
  PagePosition position;
  position.kind = PagePosition::Kind::kStreamed;
  position.offset = offset_left_;
  position.limit = limit_left_;
  // An item whose rows were all passed does not come up again.
  if (full_) position.tie_break = tie_break_;
  position.feed = std::move(feed);
  return position.Encode();
}

}  // namespace lapse::query::exec
