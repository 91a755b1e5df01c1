// A page over the live items of a container, partition by partition, in the order in which they were created.
//
// A whole partition is walked by its records, in the order of item numbers, or by its bodies if these are in that
// order. A part of a partition (a logical partition, a prefix of a hierarchical key, a range of keys) is walked by its
// members: key by key, each in the order of item numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/status.h"
#include "engine/partition/reads/body_cursor.h"
#include "engine/partition/reads/page_limit.h"
#include "engine/partition/view/page_view.h"
#include "engine/partition/view/partition_state.h"
#include "engine/records/erasure/erased_keys.h"
#include "engine/records/items/feed_position.h"
#include "engine/records/items/item.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/items/item_records.h"
#include "engine/records/partition_key/partition_key.h"
#include "store/shard.h"

namespace lapse::engine {

struct FeedOptions {
  KeyScope scope;
  std::string after;  // position from an earlier page; empty: from the start
  int items_max = 100;
  bool until_end = false;  // only the reader ends the page, neither time nor the number of skipped records
  // Called once per few hundred records, including skipped ones. An error ends the page with that error. May be empty.
  std::function<Status()> look = {};
};

struct FeedPage {
  // Where the next page starts, as opaque bytes. Empty if there is nothing more.
  std::string resume_after;
  bool cut_short = false;  // the page ended early because of expired records
  int64_t items_milli_ru = 0;
  // The partitions that the page read, as indexes into Container::partitions().
  size_t first_partition = 0;
  size_t last_partition = 0;
};

// Puts an item on the page. Returns false if the item does not fit any more: the page then ends before it. An item that
// must be on the page is always taken. The item is valid during the call.
using TakeItem = std::function<bool(const Item& item, Place place)>;

// Reads one page: the live items at one moment, at one snapshot of each partition. A chain of pages shows each item at
// most once, and every item that is live from the beginning of the chain to its end. Threads: one. The arguments must
// outlive the feed.
class ItemFeed {
 public:
  // `is_late` returns true once the page's time is up, regardless of the options; empty: never.
  ItemFeed(const FeedOptions& options, const SteadyClock& steady, std::function<bool()> is_late, const TakeItem& take)
      : scope_(options.scope),
        take_(take),
        look_(options.look),
        limit_(options.items_max, steady, options.until_end),
        is_late_(std::move(is_late)) {}

  enum class Go : uint8_t { kOn, kPageEnds };
  // Shows the items of the partition in this view, starting behind the position.
  Result<Go> ReadPartition(const PartitionState& partition, const PageView& view,
                           const std::optional<FeedPosition>& position);
  // Returns the page once it has ended or all partitions were read.
  FeedPage TakePage(Go last);

 private:
  Result<Go> WalkBodies(const PartitionState& partition, const std::optional<FeedPosition>& position);
  Result<Go> WalkRecords(const PartitionState& partition, const std::optional<FeedPosition>& position);
  Result<Go> WalkMembers(const PartitionState& partition, const std::optional<FeedPosition>& position);
  std::unique_ptr<store::Iterator> BodiesOf(const PartitionState& partition, BodyClass body_class, Sequence first,
                                            bool fill_cache) const;
  store::IterateOptions MemberBounds(const PartitionState& partition,
                                     const std::optional<FeedPosition>& position) const;
  Status FindRecord(const PartitionState& partition, ItemNumber item, HeadRecord* head);
  // `head` is null if the item is gone.
  Result<Go> Show(const HeadRecord* head, BodyCursor* bodies, const FeedPosition& position);
  Result<Go> ShowBody(const BodyRecord& body, const FeedPosition& position);
  Status LookNowAndThen();
  Go Put(const BodyRecord& body, const FeedPosition& position);
  Go PassOver(const FeedPosition& position);
  bool EndsEarly() const;
  Go EndEarly();

  const KeyScope& scope_;
  const TakeItem& take_;
  const std::function<Status()>& look_;
  PageLimit limit_;
  const std::function<bool()> is_late_;
  uint64_t records_ = 0;
  FeedPage page_;
  std::optional<FeedPosition> reached_;  // where the next page resumes; nullopt: at the start of this one
  const PageView* view_ = nullptr;       // of the partition
  ErasedKeysPtr erased_;                 // of the partition, at the snapshot
  store::PinnedValue record_;
};

}  // namespace lapse::engine
