// Reads one partition for a page of a query: index entries, records and bodies, all at one moment and one snapshot
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

// One partition as the page sees it. Threads: one at a time; readers of different partitions may run on different
// threads.
class IndexReader {
 public:
  // The view belongs to the page. `start` was taken before the view.
  IndexReader(const PartitionState& partition, ItemCache* cache, const PageView& view, const IndexMemory::Start& start);

  const PartitionState& partition() const { return partition_; }
  const ReadMoment& moment() const { return view_.moment; }
  const store::Snapshot& snapshot() const { return *view_.snapshot; }
  store::Shard* store() const { return partition_.store(); }

  // Only for a container with an index in use. The walk skips known dead runs. kWrittenPath is allowed only if the page
  // knows the order of writes.
  std::unique_ptr<EntryWalk> Walk(const IndexRange& range) const;
  std::vector<DeadRun> KnownRuns(const PathNumber& path) const;
  // Finds the items with an entry in a range of one value that few items have, as most values do. Returns them in
  // ascending order. Returns false, leaving `items` unspecified, if the range is of another kind or may have more
  // items.
  Result<bool> FindFew(const IndexRange& range, size_t items_max, std::vector<ItemNumber>* items) const;
  // Returns about how many bytes a walk would read, or 0 if that is unknown.
  uint64_t ApproximateBytes(const IndexRange& range) const;
  // Returns the items with an entry in the range if they are known without a walk, ascending. The list may include
  // items whose entry is gone. Null if they are not known.
  std::shared_ptr<const std::vector<ItemNumber>> KnownItems(const IndexRange& range) const;
  // Offers what a walk over the whole range found, ascending and without duplicates. KnownItems may return it from then
  // on.
  void OfferItems(const IndexRange& range, const std::vector<ItemNumber>& items) const;

  // Finds the records of the live items, each at the index of its number. Items that have expired, are gone, or were
  // deleted with their partition key get nullopt. Ascending numbers are the cheapest. Fails: kNotFound if the container
  // was deleted.
  Status FindLive(std::span<const ItemNumber> items, std::vector<std::optional<HeadRecord>>* live);
  // Returns true if every item with an entry is live: nothing ever expired here, and no partition key was deleted. Then
  // the entries alone are enough.
  Result<bool> EveryItemLives();
  // Returns the last change of the partition that the page sees.
  Result<Sequence> LastSequence();
  // Returns true if the index may lack some items: the policy leaves out items that do not ask to be indexed, or an
  // item asked to be left out.
  Result<bool> MayLeaveOut();
  // Finds the live items, and calls `take` with each of them in order until it returns false. An item is valid during
  // the call. Reads from the cache where it can, and fills it.
  Status ReadLive(std::span<const ItemNumber> items, std::vector<std::optional<HeadRecord>>* live,
                  const std::function<bool(const Item&)>& take);
  // Calls `take` with the head key of the item of each record, in order.
  Status ReadKeys(std::span<const HeadRecord> records,
                  const std::function<void(ItemNumber item, std::string_view head_key)>& take);

 private:
  Status LoadTally();
  // Resets the erased items. A record by number does not name its partition key, so this reads their bodies.
  Status TakeErasedOut(std::vector<std::optional<HeadRecord>>* live);
  // Reads the `count` keys in `keys_`, all of the same length.
  void Fetch(store::FamilyId family, size_t count);
  // Returns null if the cache does not have the item as the page sees it. The item may be dead.
  std::shared_ptr<const CachedItem> Cached(ItemNumber item) const;
  void BringIntoCache(const HeadRecord& head, const BodyRecord& body);
  // Reads the body of each record.
  void FetchBodies(std::span<const HeadRecord> records);
  Status BodyAt(size_t place, BodyRecord* body) const;

  const PartitionState& partition_;
  ItemCache* const cache_;
  const PageView& view_;
  const IndexMemory::Start start_;
  SeenTally::Tally tally_;  // at the snapshot; null: not loaded yet
  int brought_in_ = 0;      // items added to the cache
  std::string keys_;        // of a look-up, concatenated
  std::vector<std::string_view> key_views_;
  std::vector<store::PinnedValue> values_;
  std::vector<Status> statuses_;
};

}  // namespace lapse::engine
