// What a page of a query reads: index entries, records and bodies, all of one moment and, in each partition, of one
// snapshot (docs/design/index.md).
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
#include "engine/partition/view/open_pages.h"
#include "engine/partition/view/page_view.h"
#include "engine/records/definitions/container_state.h"
#include "engine/records/ids/ids.h"
#include "engine/records/items/item.h"
#include "engine/records/items/item_records.h"
#include "engine/shard/partitions/commit_parts.h"
#include "store/shard.h"

namespace lapse::engine {

class Container;
class Partition;

// One partition, as the page sees it. Threads: one at a time; those of several partitions may be used by several.
class IndexReader {
 public:
  // `start`: before it took the view, which is of the page.
  IndexReader(const Partition& partition, store::Shard* shard, ItemCache* cache, const PageView& view,
              const IndexMemory::Start& start);

  const Partition& partition() const { return partition_; }
  const ReadMoment& moment() const { return view_.moment; }
  const store::Snapshot& snapshot() const { return *view_.snapshot; }
  store::Shard* shard() const { return shard_; }

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

  const Partition& partition_;
  store::Shard* const shard_;
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

// Threads: one. Keeps what it shows from compactions for as long as it is there: not longer than a page takes. The
// container must outlive it.
class IndexPage {
 public:
  // Fails: as a read of the container would.
  static Result<std::unique_ptr<IndexPage>> Open(const Container& container, const CommitParts& parts);

  const ContainerState& state() const { return *state_; }
  // What is in use; null: there are no entries.
  const ContainerIndex* index() const { return state_->index.has_value() ? &*state_->index : nullptr; }
  // Whether kWrittenPath can be walked: not after the clock was reset, since times came again then.
  bool knows_write_order() const { return !parts_.clock_was_reset; }
  const SteadyClock& steady() const { return *parts_.steady; }
  const Container& container() const { return container_; }
  const CommitParts& parts() const { return parts_; }
  // What it sees of each partition, in the order of Container::partitions().
  const std::vector<PageView>& views() const { return views_; }
  // By its place in Container::partitions(). Made when it is asked for first.
  IndexReader& Partition(size_t place);

 private:
  IndexPage(const Container& container, const CommitParts& parts);

  const Container& container_;
  const CommitParts parts_;
  const OpenPages::Page open_;
  std::shared_ptr<const ContainerState> state_;
  std::vector<IndexMemory::Start> starts_;  // both: one for each partition of the container
  std::vector<PageView> views_;
  std::vector<std::unique_ptr<IndexReader>> readers_;
};

}  // namespace lapse::engine
