// A page over the live items of a container, partition by partition, in the order in which they were created.
//
// A whole partition is walked by its records, in the order of item numbers, or by its bodies where these are in that
// order. Of a part of one (a logical partition, a prefix of a hierarchical key, a range of keys) the members are
// walked: key by key, each in the order of item numbers.
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
  bool until_end = false;  // only the reader ends the page, neither time nor what it passes over
  // Called for each of some hundred records, those that are not shown too; not ok: the page ends with this. May be
  // empty.
  std::function<Status()> look = {};
};

struct FeedPage {
  // Empty when there is nothing more; otherwise where the next page starts. Opaque bytes.
  std::string resume_after;
  bool cut_short = false;  // it ended early because of expired records
  int64_t items_milli_ru = 0;
  // The partitions that it looked into, as places in Container::partitions().
  size_t first_partition = 0;
  size_t last_partition = 0;
};

// Puts an item on the page. False: it does not fit any more, and the page ends before it. An item that must be on the
// page is always taken. The item is valid during the call.
using TakeItem = std::function<bool(const Item& item, Place place)>;

// One page: what lives by one moment, at one snapshot of each partition. A chain of pages shows each item at most once,
// and every item that lives from its beginning to its end. Threads: one. What is given must outlive it.
class ItemFeed {
 public:
  // `is_late`: whether the page's time is up, whatever the options say; empty: it never is.
  ItemFeed(const FeedOptions& options, const SteadyClock& steady, std::function<bool()> is_late, const TakeItem& take)
      : scope_(options.scope),
        take_(take),
        look_(options.look),
        limit_(options.items_max, steady, options.until_end),
        is_late_(std::move(is_late)) {}

  enum class Go : uint8_t { kOn, kPageEnds };
  // Shows what the view has of the partition, from behind the position on.
  Result<Go> ReadPartition(const PartitionState& partition, const PageView& view,
                           const std::optional<FeedPosition>& position);
  // The page, once it has ended or all partitions were read.
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
  // Null: the item is gone.
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
  std::optional<FeedPosition> reached_;  // where the next page goes on; nullopt: at the start of this one
  const PageView* view_ = nullptr;       // of the partition
  ErasedKeysPtr erased_;                 // of the partition, at the snapshot
  store::PinnedValue record_;
};

}  // namespace lapse::engine
