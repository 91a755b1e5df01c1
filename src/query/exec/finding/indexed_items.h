// Reads the items of a container that an index leads to, in the order of creation.
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
#include "engine/catalog/throughput/meter.h"
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

// Whether a scope is whole partitions.
bool IsWholePartitions(const engine::KeyScope& scope, const engine::Container& container);

// How many items of the container's partitions there are in the store, one by one.
int64_t StoredItems(const engine::Container& container, size_t partition);

// Threads: one. What it is made of must outlive it.
class IndexedItems : public ItemSource {
 public:
  IndexedItems(const PageContext& page, const IndexCondition& condition, ScannedItem* shown, engine::Meter* meter);

  // Of these, which are prepared, those of a scope that is one whole partition, for another thread. Only the reader of
  // that partition is used.
  IndexedItems(const IndexedItems& all, const engine::KeyScope& scope, ScannedItem* shown, engine::Meter* meter,
               const PageWatch& watch);

  // What the scan will be for.
  struct Purpose {
    std::string after;                 // where it begins
    bool everywhere = false;           // the scan goes to the end of the last partition
    std::optional<uint64_t> rows_max;  // otherwise a scan, or a walk in order, would end after so many that match
    bool only_counted = false;         // where the candidates are exact no document is asked for
    Helpers* helpers = nullptr;        // help to find candidates; null: none
    Thresholds thresholds;
  };
  // Finds the candidates that the scan begins with, or all of them if it goes everywhere. Returns false if another way
  // to find items is better. Fails: kInvalidArgument for a position that is not within the scope.
  Result<bool> Prepare(const Purpose& purpose);
  // After Prepare(): whether all candidates that live pass the filters.
  bool exact() const { return exact_; }
  // After Prepare(): the number of candidates of a partition, 0 if it was not searched.
  size_t CountIn(size_t partition) const {
    return candidates_[partition].has_value() ? candidates_[partition]->items.size() : 0;
  }
  bool with_documents() const { return with_documents_; }
  // From now on the scan reads no documents: item() is null.
  void LeaveOutDocuments() { with_documents_ = false; }

  // Positions are those of ContainerItems: a scan by one may go on by the other.
  Result<std::string> Scan(std::string after, bool until_end, const TakeItem& take) override;
  const ItemView* item() const override { return with_documents_ ? shown_ : nullptr; }
  bool passes_filters() const override { return passes_filters_; }
  bool cut_short() const override { return cut_short_; }

 private:
  bool InScope(size_t partition) const;
  // The scope, where it is a part of the partition; null: all of it.
  const engine::KeyScope* PartOf(size_t partition) const;
  // `key`: null where the items stand in the order of their numbers alone.
  std::string PositionAt(engine::ItemNumber item, const engine::LogicalKey* key) const;
  // How many candidates are up to where an earlier page ended.
  static size_t PassedOf(const Candidates& candidates, const engine::FeedPosition& position);
  // Where the next page would begin.
  struct Reached {
    engine::ItemNumber item;
    const engine::LogicalKey* key;  // see PositionAt
  };
  // After a batch of these candidates was read, and at least one number was passed.
  static Reached ReachedBy(const NumberedItems::Read& read, const Candidates& candidates,
                           std::span<const engine::ItemNumber> numbers);
  size_t EntriesWorthReading(size_t partition) const;
  // Nullopt: too many. Threads: any, if each has another partition and its own watch.
  Result<std::optional<Candidates>> Find(size_t partition, const PageWatch& watch) const;
  // Null: too many.
  Result<const Candidates*> CandidatesOf(size_t partition);

  const PageContext& page_;
  const engine::KeyScope& scope_;
  const IndexCondition& condition_;
  const ScannedItem* const shown_;
  engine::Meter* const meter_;
  const PageWatch& watch_;
  Purpose purpose_;
  bool exact_ = false;
  bool with_documents_ = true;
  bool passes_filters_ = false;  // what the walk shows
  bool cut_short_ = false;
  NumberedItems items_;
  const IndexedItems* const found_by_ = nullptr;       // null: the candidates are its own
  std::vector<std::optional<Candidates>> candidates_;  // by partition, as far as they were found
};

}  // namespace lapse::query::exec
