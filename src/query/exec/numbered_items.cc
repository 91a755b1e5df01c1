#include "query/exec/numbered_items.h"

#include "engine/items/item.h"
#include "engine/request_units/prices.h"

namespace lapse::query::exec {

Result<NumberedItems::Read> NumberedItems::ReadLive(engine::IndexReader* reader,
                                                    std::span<const engine::ItemNumber> numbers, bool with_documents,
                                                    const Take& take) {
  Read read;
  LAPSE_RETURN_IF_ERROR(reader->FindLive(numbers, &live_));
  records_.clear();
  for (const std::optional<engine::HeadRecord>& head : live_) {
    if (head.has_value()) records_.push_back(*head);
  }
  read.dead = static_cast<int>(numbers.size() - records_.size());
  if (with_documents) {
    const auto take_one = [&](const engine::Item& item) {
      shown_->Set(item);
      read.ended = !take(item.meta.number, item.document.size());
      if (read.ended) return false;
      read.passed = item.meta.number;
      milli_ru_ += engine::PageItemMilliRu(engine::PricedBytes(item.document, lifetime_property_));
      return true;
    };
    LAPSE_RETURN_IF_ERROR(reader->ReadItems(records_, take_one));
  } else {
    for (const engine::HeadRecord& head : records_) {
      read.ended = !take(head.number, 0);
      if (read.ended) break;
      read.passed = head.number;
    }
  }
  if (!read.ended && !numbers.empty()) read.passed = numbers.back();
  return read;
}

}  // namespace lapse::query::exec
