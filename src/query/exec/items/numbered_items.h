// Reads the live items of one partition by their numbers, in batches.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/status.h"
#include "engine/catalog/containers/index_page.h"
#include "engine/records/ids/ids.h"
#include "query/exec/items/item_source.h"
#include "query/exec/rules/scanned_item.h"

namespace lapse::query::exec {

// Threads: one. Its arguments must outlive it.
class NumberedItems {
 public:
  explicit NumberedItems(ScannedItem* shown) : shown_(shown) {}

  using Take = ItemSource::TakeItem;

  struct Read {
    bool ended = false;  // `take` ended the read
    // The position to resume after: the last number passed, whether or not its item lives. If an item was not taken, it
    // is the position right before that item, so that a caller which took some of its rows finds the rest. Nullopt:
    // nothing was passed.
    std::optional<engine::ItemNumber> passed;
    int dead = 0;
  };
  // Reads in the order of `numbers`. Without documents nothing is shown.
  Result<Read> ReadLive(engine::IndexReader* reader, std::span<const engine::ItemNumber> numbers, bool with_documents,
                        const Take& take);

  // The records of the last call with documents: one slot for each number, set if its item lives.
  std::span<const std::optional<engine::HeadRecord>> live() const { return live_; }

 private:
  ScannedItem* const shown_;
  std::vector<std::optional<engine::HeadRecord>> live_;
};

}  // namespace lapse::query::exec
