#include "query/exec/items/numbered_items.h"

#include <algorithm>
#include <optional>

#include "engine/records/items/item.h"

namespace lapse::query::exec {

Result<NumberedItems::Read> NumberedItems::ReadLive(engine::IndexReader* reader,
                                                    std::span<const engine::ItemNumber> numbers, bool with_documents,
                                                    const Take& take) {
  Read read;
  if (!with_documents) {
    LAPSE_ASSIGN_OR_RETURN(const bool all_live, reader->EveryItemLives());
    if (all_live) {
      for (const engine::ItemNumber number : numbers) {
        read.ended = !take(number, {});
        read.passed = read.ended ? number - 1 : number;
        if (read.ended) break;
      }
      return read;
    }
  }
  if (with_documents) {
    const auto take_one = [&](const engine::Item& item) {
      shown_->Set(item);
      read.ended = !take(item.meta.number, item.document);
      read.passed = read.ended ? item.meta.number - 1 : item.meta.number;
      return !read.ended;
    };
    LAPSE_RETURN_IF_ERROR(reader->ReadLive(numbers, &live_, take_one));
  } else {
    LAPSE_RETURN_IF_ERROR(reader->FindLive(numbers, &live_));
    for (const std::optional<engine::HeadRecord>& head : live_) {
      if (!head.has_value()) continue;
      read.ended = !take(head->number, {});
      read.passed = read.ended ? head->number - 1 : head->number;
      if (read.ended) break;
    }
  }
  read.dead = static_cast<int>(std::count(live_.begin(), live_.end(), std::nullopt));
  if (!read.ended && !numbers.empty()) read.passed = numbers.back();
  return read;
}

}  // namespace lapse::query::exec
