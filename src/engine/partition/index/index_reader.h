// What a page of a query reads of one partition: index entries, records and bodies, all of one moment and one snapshot
// (docs/design/index.md).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/memory/item_cache.h"
#include "engine/partition/index/entry_walk.h"
#include "engine/partition/index/index_walk.h"
#include "engine/partition/learned/index_memory.h"
#include "engine/partition/view/page_view.h"
#include "engine/partition/view/partition_state.h"
#include "engine/records/definitions/container_state.h"
#include "engine/records/ids/ids.h"
#include "engine/records/items/item.h"
#include "engine/records/items/item_records.h"
#include "store/shard.h"

namespace lapse::engine {

// One partition, as the page sees it. Threads: one at a time; those of several partitions may be used by several.
class IndexReader {
 public:
  // `start`: before it took the view, which is of the page.
  IndexReader(const PartitionState& partition, ItemCache* cache, const PageView& view, const IndexMemory::Start& start);

  const PartitionState& partition() const { return partition_; }
  const ReadMoment& moment() const { return view_.moment; }
  const store::Snapshot& snapshot() const { return *view_.snapshot; }
  store::Shard* store() const { return partition_.store(); }

  // Only for a container with an index in use. Of runs of dead items that are known it shows nothing. Of kWrittenPath,
  // only where the page knows the order of writes.
  std::unique_ptr<EntryWalk> Walk(const IndexRange& range) const;
  std::vector<DeadRun> KnownRuns(const PathNumber& path) const;
  // For a range of one value that few items have, as most values: the items with an entry there, ascending. False: it
  // is another range, or there may be more of them; then `items` says nothing.
  Result<bool> FindFew(const IndexRange& range, size_t items_max, std::vector<ItemNumber>* items) const;
  // About how many bytes it would walk over. 0 where that cannot be told.
  uint64_t ApproximateBytes(const IndexRange& range) const;
  // The items with an entry in the range, where they are known without a walk: ascending, and some that have none any
  // more. Null: they are not known.
  std::shared_ptr<const std::vector<ItemNumber>> KnownItems(const IndexRange& range) const;
  // What a walk over the whole range found, ascending and each once: it may be known from then on.
  void OfferItems(const IndexRange& range, const std::vector<ItemNumber>& items) const;

  // The records of those that live, each in the place of its number; nothing for the others: those that have expired,
  // are gone, or were deleted with their partition key. Ascending numbers are the cheapest. kNotFound: the container
  // was deleted.
  Status FindLive(std::span<const ItemNumber> items, std::vector<std::optional<HeadRecord>>* live);
  // Whether all items live that have entries: nothing ever expired here, and no partition key was deleted. Then entries
  // tell enough.
  Result<bool> EveryItemLives();
  // The last change of the partition that the page sees.
  Result<Sequence> LastSequence();
  // Whether items may be left out of the index: the policy leaves out those that do not ask, or one asked for it.
  Result<bool> MayLeaveOut();
  // Finds those that live, and calls `take` with each of them, in their order. False ends it. An item is valid during
  // the call. Some of them come from the cache, and into it.
  Status ReadLive(std::span<const ItemNumber> items, std::vector<std::optional<HeadRecord>>* live,
                  const std::function<bool(const Item&)>& take);
  // Calls `take` with the head key of the item behind each of these records, in their order.
  Status ReadKeys(std::span<const HeadRecord> records,
                  const std::function<void(ItemNumber item, std::string_view head_key)>& take);

 private:
  Status LoadTally();
  // A record by number does not say of which partition key it is: the body does.
  Status TakeErasedOut(std::vector<std::optional<HeadRecord>>* live);
  // Reads as many keys of `keys_` as there are, all of one length.
  void Fetch(store::FamilyId family, size_t count);
  // Null: it is not in the cache as the page sees it. May be dead.
  std::shared_ptr<const CachedItem> Cached(ItemNumber item) const;
  void BringIntoCache(const HeadRecord& head, const BodyRecord& body);
  // The body of each record, in its place.
  void FetchBodies(std::span<const HeadRecord> records);
  Status BodyAt(size_t place, BodyRecord* body) const;

  const PartitionState& partition_;
  ItemCache* const cache_;
  const PageView& view_;
  const IndexMemory::Start start_;
  SeenTally::Tally tally_;  // at the snapshot; null: not loaded yet
  int brought_in_ = 0;      // to the cache
  std::string keys_;        // of a look-up, one after another
  std::vector<std::string_view> key_views_;
  std::vector<store::PinnedValue> values_;
  std::vector<Status> statuses_;
};

}  // namespace lapse::engine
