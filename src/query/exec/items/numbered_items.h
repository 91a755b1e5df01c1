// Items of one partition by their numbers: those that live, read in batches.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/partition/index/index_page.h"
#include "engine/records/ids/ids.h"
#include "query/exec/rules/scanned_item.h"

namespace lapse::query::exec {

// Threads: one. What it is made of must outlive it.
class NumberedItems {
 public:
  // `lifetime_property`: what of a document is not paid for.
  NumberedItems(ScannedItem* shown, const std::string& lifetime_property)
      : shown_(shown), lifetime_property_(lifetime_property) {}

  // Takes the item that is shown. False: no further ones.
  using Take = std::function<bool(engine::ItemNumber number, size_t bytes)>;

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

  // What the item costs that is shown.
  int64_t item_milli_ru() const;

 private:
  ScannedItem* const shown_;
  const std::string& lifetime_property_;
  std::string_view document_;  // of the item; empty: none is shown
  std::vector<std::optional<engine::HeadRecord>> live_;
};

}  // namespace lapse::query::exec
