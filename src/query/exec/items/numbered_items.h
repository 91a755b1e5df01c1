// Items of one partition by their numbers: those that live, read in batches.
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

// Threads: one. What it is made of must outlive it.
class NumberedItems {
 public:
  explicit NumberedItems(ScannedItem* shown) : shown_(shown) {}

  using Take = ItemSource::TakeItem;

  struct Read {
    bool ended = false;  // by `take`
    // Where to go on behind: the last one, those that do not live too; right before one that was not taken, so that
    // whoever took a part of it finds the rest. nullopt: there was none.
    std::optional<engine::ItemNumber> passed;
    int dead = 0;
  };
  // In the order of `numbers`. Without documents nothing is shown.
  Result<Read> ReadLive(engine::IndexReader* reader, std::span<const engine::ItemNumber> numbers, bool with_documents,
                        const Take& take);

  // The records of those that live, each in the place of its number, of the last call with documents.
  std::span<const std::optional<engine::HeadRecord>> live() const { return live_; }

 private:
  ScannedItem* const shown_;
  std::vector<std::optional<engine::HeadRecord>> live_;
};

}  // namespace lapse::query::exec
