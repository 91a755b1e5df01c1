// Reads the items of a container that an index points to, in the order of creation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/helpers.h"
#include "engine/catalog/containers/container.h"
#include "engine/catalog/containers/index_page.h"
#include "engine/catalog/throughput/request_meter.h"
#include "engine/records/items/feed_position.h"
#include "engine/records/partition_key/partition_key.h"
#include "query/exec/finding/candidates.h"
#include "query/exec/index/index_condition.h"
#include "query/exec/items/item_source.h"
#include "query/exec/items/numbered_items.h"
#include "query/exec/items/page_context.h"
#include "query/exec/rules/scanned_item.h"
#include "query/exec/scheduling/page_watch.h"
#include "query/exec/scheduling/thresholds.h"

namespace lapse::query::exec {

// Whether a scope consists of whole partitions.
bool IsWholePartitions(const engine::KeyScope& scope, const engine::Container& container);

// Returns the number of items that the store holds in this partition of the container.
int64_t StoredItems(const engine::Container& container, size_t partition);

// Threads: one. Its arguments must outlive it.
class IndexedItems : public ItemSource {
 public:
  IndexedItems(const PageContext& page, const IndexCondition& condition, ScannedItem* shown,
               engine::RequestMeter* meter);

  // Takes from `all`, which is prepared, the items of a scope that is one whole partition, for use by another thread.
  // It uses only the reader of that partition.
  IndexedItems(const IndexedItems& all, const engine::KeyScope& scope, ScannedItem* shown, engine::RequestMeter* meter,
               const PageWatch& watch);

  // What the scan is for.
  struct Purpose {
    std::string after;                 // where it begins
    bool everywhere = false;           // the scan goes to the end of the last partition
    std::optional<uint64_t> rows_max;  // otherwise a scan, or a scan in index order, would end after this many matches
    bool only_counted = false;         // the page reads no document if the candidates are exact
    Helpers* helpers = nullptr;        // threads that help to find candidates; null: none
    Thresholds thresholds;
  };
  // Finds the candidates that the scan begins with, or all of them if it goes to the end. Returns false if another way
  // to find items is better. Fails: kInvalidArgument for a position outside the scope.
  Result<bool> Prepare(const Purpose& purpose);
  // Call it after Prepare(). Whether all live candidates pass the filters.
  bool exact() const { return exact_; }
  // Call it after Prepare(). Returns the number of candidates of a partition, or 0 if it was not searched.
  size_t CountIn(size_t partition) const {
    return candidates_[partition].has_value() ? candidates_[partition]->items.size() : 0;
  }
  bool with_documents() const { return with_documents_; }
  // Makes the scan read no documents from now on: item() is null.
  void LeaveOutDocuments() { with_documents_ = false; }

  // Positions are those of ContainerItems, so either kind of scan can resume the other.
  Result<std::string> Scan(std::string after, bool until_end, const TakeItem& take) override;
  const ItemView* item() const override { return with_documents_ ? shown_ : nullptr; }
  bool passes_filters() const override { return passes_filters_; }
  bool cut_short() const override { return cut_short_; }

 private:
  bool InScope(size_t partition) const;
  // Returns the scope if it is a part of the partition, or null if it covers all of it.
  const engine::KeyScope* PartOf(size_t partition) const;
  // `key`: null if the items are ordered by their numbers alone.
  std::string PositionAt(engine::ItemNumber item, const engine::LogicalKey* key) const;
  // Returns how many candidates lie at or before the end of an earlier page.
  static size_t PassedOf(const Candidates& candidates, const engine::FeedPosition& position);
  // Where the next page would begin.
  struct Reached {
    engine::ItemNumber item;
    const engine::LogicalKey* key;  // see PositionAt
  };
  // Call it after a batch of these candidates was read and at least one number was passed.
  static Reached ReachedBy(const NumberedItems::Read& read, const Candidates& candidates,
                           std::span<const engine::ItemNumber> numbers);
  size_t EntriesWorthReading(size_t partition) const;
  // Returns nullopt if they are too many. Threads: any, if each has another partition and its own watch.
  Result<std::optional<Candidates>> Find(size_t partition, const PageWatch& watch) const;
  // Returns null if they are too many.
  Result<const Candidates*> CandidatesOf(size_t partition);

  const PageContext& page_;
  const engine::KeyScope& scope_;
  const IndexCondition& condition_;
  const ScannedItem* const shown_;
  engine::RequestMeter* const meter_;
  const PageWatch& watch_;
  Purpose purpose_;
  bool exact_ = false;
  bool with_documents_ = true;
  bool passes_filters_ = false;  // whether the current item is known to pass the filters
  bool cut_short_ = false;
  NumberedItems items_;
  const IndexedItems* const found_by_ = nullptr;       // finds the candidates; null: this object does
  std::vector<std::optional<Candidates>> candidates_;  // by partition; only those found so far
};

}  // namespace lapse::query::exec
