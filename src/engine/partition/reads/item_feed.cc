#include "engine/partition/reads/item_feed.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/catalog/containers/container.h"
#include "engine/partition/index/index_page.h"
#include "engine/partition/reads/body_cursor.h"
#include "engine/partition/reads/page_feed.h"
#include "engine/partition/view/open_pages.h"
#include "engine/partition/view/page_view.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/items/feed_position.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/prices/prices.h"
#include "engine/records/tally/partition_tally.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::engine {
namespace {

constexpr uint64_t kRecordsBetweenLooks = 256;

Status NotInScope() {
  return {Code::kInvalidArgument, "the position is not within the range that is read"};
}

// Whether the position is one that a feed of this scope gives out in this partition.
bool Fits(const FeedPosition& position, const KeyScope& scope, const Partition& partition) {
  const bool whole = scope.Covers(partition.range());
  if (position.order == FeedPosition::Order::kRecords) return whole && PartitionOf(position.item) == partition.number();
  return !whole && partition.range().Contains(position.key.epk) && scope.Contains(position.key.epk, position.key.value);
}

// One page. What it walks over and what it shows are of one snapshot of each partition, and of one moment.
class Walk {
 public:
  // `views`: what it sees; null: what is there now. `is_late`: whether its time is up, whatever the options say.
  Walk(const Container& container, const CommitParts& parts, const FeedOptions& options, const TakeItem& take,
       const std::vector<PageView>* views = nullptr, std::function<bool()> is_late = {})
      : container_(container),
        parts_(parts),
        scope_(options.scope),
        take_(take),
        look_(options.look),
        open_(parts.pages),
        limit_(options.items_max, *parts.steady, options.until_end),
        is_late_(std::move(is_late)),
        views_(views) {}

  Result<FeedPage> Run(size_t first, const std::optional<FeedPosition>& position) {
    page_.first_partition = page_.last_partition = first;
    if (views_ == nullptr) {
      own_views_ = ViewsOf(container_, parts_);
      views_ = &own_views_;
    }
    LAPSE_RETURN_IF_ERROR(views_->front().moment.state().Check());
    for (size_t i = first; i < container_.partitions().size(); ++i) {
      const Partition& partition = *container_.partitions()[i];
      if (!scope_.Touches(partition.range())) continue;
      page_.last_partition = i;
      view_ = &(*views_)[i];
      LAPSE_ASSIGN_OR_RETURN(const Go go, WalkPartition(partition, i == first ? position : std::nullopt));
      if (go == Go::kPageEnds) {
        page_.resume_after = reached_->Encode();
        return std::move(page_);
      }
    }
    page_.cut_short = false;
    return std::move(page_);
  }

 private:
  enum class Go : uint8_t { kOn, kPageEnds };

  Result<Go> WalkPartition(const Partition& partition, const std::optional<FeedPosition>& position) {
    store::Shard* shard = parts_.shards->Of(partition.id());
    // From the snapshot of the items: a page that shows a write made after the deletion of a key must apply that
    // deletion, too.
    LAPSE_ASSIGN_OR_RETURN(const PartitionTally tally, LoadTallyAt(*view_->snapshot, shard, partition.id()));
    erased_ = tally.erased;
    if (!scope_.Covers(partition.range())) return WalkMembers(partition, shard, position);
    // If all changes were creations, the bodies, which lie in the order of changes, are in the order of numbers.
    if (tally.creations == tally.last_sequence) return WalkBodies(partition, shard, position);
    return WalkRecords(partition, shard, position);
  }

  // Each item has its first body only, and its number counts as its sequence does. So records say nothing that bodies
  // do not say themselves.
  Result<Go> WalkBodies(const Partition& partition, store::Shard* shard, const std::optional<FeedPosition>& position) {
    const Sequence first = position.has_value() ? CreationOf(position->item) + 1 : 0;
    ScansTogether::Scan scan(partition.scans(), MakeItemNumber(partition.number(), first));
    const auto bodies_of = [&](BodyClass body_class) {
      store::IterateOptions bounds;
      bounds.lower = BodyBound(partition.id(), body_class, first);
      bounds.upper = PrefixEnd(BodyPrefix(partition.id(), body_class));
      bounds.snapshot = view_->snapshot.get();
      bounds.fill_cache = scan.has_company();
      bounds.scan = true;
      std::unique_ptr<store::Iterator> bodies = shard->NewIterator(kBodyFamily, bounds);
      bodies->SeekToFirst();
      return bodies;
    };
    const std::unique_ptr<store::Iterator> inheriting = bodies_of(BodyClass::kInheriting);
    const std::unique_ptr<store::Iterator> own = bodies_of(BodyClass::kOwnLifetime);
    // One that failed is not at its end: what the other one has may not be next.
    LAPSE_RETURN_IF_ERROR(inheriting->status());
    LAPSE_RETURN_IF_ERROR(own->status());
    while (inheriting->Valid() || own->Valid()) {
      // The class comes before the sequence in their keys.
      const bool is_own = !inheriting->Valid() || (own->Valid() && own->key().substr(kBodyPrefixBytes) <
                                                                       inheriting->key().substr(kBodyPrefixBytes));
      store::Iterator* const next = is_own ? own.get() : inheriting.get();
      BodyRecord body;
      LAPSE_RETURN_IF_ERROR(DecodeBody(next->value(), &body));
      FeedPosition place;
      place.item = body.number;
      scan.MoveTo(body.number);
      LAPSE_ASSIGN_OR_RETURN(const Go go, ShowBody(body, place));
      if (go == Go::kPageEnds) return go;
      next->Next();
      if (!next->Valid()) LAPSE_RETURN_IF_ERROR(next->status());
    }
    return Go::kOn;
  }

  Result<Go> WalkRecords(const Partition& partition, store::Shard* shard, const std::optional<FeedPosition>& position) {
    store::IterateOptions bounds;
    const ItemNumber first = position.has_value() ? position->item + 1 : MakeItemNumber(partition.number(), 0);
    bounds.lower = RecordKey(container_.id(), first);
    bounds.upper = PrefixEnd(RecordKey(container_.id(), MakeItemNumber(partition.number(), kCreationsMax)));
    bounds.snapshot = view_->snapshot.get();
    bounds.fill_cache = false;
    const std::unique_ptr<store::Iterator> records = shard->NewIterator(kRecordFamily, bounds);
    ScansTogether::Scan scan(partition.scans(), first);
    BodyCursor bodies(shard, *view_->snapshot, container_.id(), scan.has_company());
    for (records->SeekToFirst(); records->Valid(); records->Next()) {
      HeadRecord head;
      LAPSE_RETURN_IF_ERROR(DecodeHead(records->value(), &head));
      FeedPosition place;
      place.item = head.number;
      scan.MoveTo(head.number);
      LAPSE_ASSIGN_OR_RETURN(const Go go, Show(&head, &bodies, place));
      if (go == Go::kPageEnds) return go;
    }
    LAPSE_RETURN_IF_ERROR(records->status());
    return Go::kOn;
  }

  Result<Go> WalkMembers(const Partition& partition, store::Shard* shard, const std::optional<FeedPosition>& position) {
    const std::unique_ptr<store::Iterator> members =
        shard->NewIterator(kMemberFamily, MemberBounds(partition, position));
    BodyCursor bodies(shard, *view_->snapshot, container_.id());
    for (members->SeekToFirst(); members->Valid(); members->Next()) {
      MemberKeyParts parts;
      if (!SplitMemberKey(members->key(), &parts)) return Status(Code::kCorruption, "malformed member of a key");
      if (!scope_.Contains(parts.epk, parts.value)) {
        if (EndsEarly()) return EndEarly();
        limit_.PassOverOther();
        continue;
      }
      FeedPosition place{FeedPosition::Order::kMembers, parts.item, {parts.epk, std::string(parts.value)}};
      // A member without a record is one of an item that is gone.
      HeadRecord head;
      Status found = FindRecord(shard, parts.item, &head);
      if (!found.ok() && found.code() != Code::kNotFound) return found;
      LAPSE_ASSIGN_OR_RETURN(const Go go, Show(found.ok() ? &head : nullptr, &bodies, place));
      if (go == Go::kPageEnds) return go;
    }
    LAPSE_RETURN_IF_ERROR(members->status());
    return Go::kOn;
  }

  store::IterateOptions MemberBounds(const Partition& partition, const std::optional<FeedPosition>& position) const {
    store::IterateOptions bounds;
    if (scope_.exact.has_value()) {
      bounds.lower = MemberPrefix(container_.id(), *scope_.exact);
      bounds.upper = PrefixEnd(bounds.lower);
    } else {
      bounds.lower = EpkBound(container_.id(), std::max(scope_.range.min, partition.range().min));
      bounds.upper = EpkBound(container_.id(), std::min(scope_.range.max, partition.range().max));
    }
    if (position.has_value()) bounds.lower = MemberKey(container_.id(), position->key, position->item) + '\0';
    bounds.snapshot = view_->snapshot.get();
    bounds.fill_cache = false;
    return bounds;
  }

  Status FindRecord(store::Shard* shard, ItemNumber item, HeadRecord* head) {
    LAPSE_RETURN_IF_ERROR(
        shard->Get(kRecordFamily, RecordKey(container_.id(), item), &record_, {.snapshot = view_->snapshot.get()}));
    return DecodeHead(record_.view(), head);
  }

  // Null: the item is gone.
  Result<Go> Show(const HeadRecord* head, BodyCursor* bodies, const FeedPosition& place) {
    if (EndsEarly()) return EndEarly();
    if (++records_ % kRecordsBetweenLooks == 0 && look_) LAPSE_RETURN_IF_ERROR(look_());
    if (head == nullptr || !view_->moment.IsLive(head->lifetime)) return PassOver(place);
    BodyRecord body;
    if (erased_ != nullptr) {
      // A record by number does not say of which key it is.
      LAPSE_RETURN_IF_ERROR(bodies->Find(*head, &body));
      if (erased_->Erased(body.head_key, head->lifetime)) return PassOver(place);
    }
    // Only here, with another item in sight, is it known that there is more.
    if (limit_.full()) return Go::kPageEnds;
    if (erased_ == nullptr) LAPSE_RETURN_IF_ERROR(bodies->Find(*head, &body));
    return Put(body, place);
  }

  Result<Go> ShowBody(const BodyRecord& body, const FeedPosition& place) {
    if (EndsEarly()) return EndEarly();
    if (++records_ % kRecordsBetweenLooks == 0 && look_) LAPSE_RETURN_IF_ERROR(look_());
    if (!view_->moment.IsLive(body.lifetime)) return PassOver(place);
    if (limit_.full()) return Go::kPageEnds;
    return Put(body, place);
  }

  Go Put(const BodyRecord& body, const FeedPosition& place) {
    Item item;
    item.meta = MetaOf(body);
    item.document = body.document;
    if (!take_(item, limit_.place())) {
      // Right before it, so that the next page begins with it: whoever took a part of it finds the rest, also when
      // others were made meanwhile between it and the item that came before.
      reached_ = place;
      --reached_->item;
      return Go::kPageEnds;
    }
    limit_.Add();
    page_.items_milli_ru += PageItemMilliRu(body.document, view_->moment.state().definition.lifetime_property);
    reached_ = place;
    return Go::kOn;
  }

  Go PassOver(const FeedPosition& place) {
    limit_.PassOverExpired();
    reached_ = place;
    return Go::kOn;
  }

  // Not before there is a position to go on from: without one a reader takes the page for the last.
  bool EndsEarly() const { return reached_.has_value() && (limit_.EndsEarly() || TimeIsUp()); }
  bool TimeIsUp() const { return is_late_ && is_late_(); }

  Go EndEarly() {
    page_.cut_short = limit_.EndsEarlyByExpiry();
    return Go::kPageEnds;
  }

  const Container& container_;
  const CommitParts& parts_;
  const KeyScope& scope_;
  const TakeItem& take_;
  const std::function<Status()>& look_;
  const OpenPages::Page open_;
  PageLimit limit_;
  uint64_t records_ = 0;
  FeedPage page_;
  std::optional<FeedPosition> reached_;  // where the next page goes on; nullopt: at the start of this one
  const std::function<bool()> is_late_;
  const std::vector<PageView>* views_;  // one for each partition of the container
  std::vector<PageView> own_views_;
  const PageView* view_ = nullptr;
  ErasedKeysPtr erased_;  // of the partition, at the snapshot
  store::PinnedValue record_;
};

}  // namespace

Result<size_t> FirstPartitionOf(const Container& container, const KeyScope& scope, std::string_view after) {
  const auto& partitions = container.partitions();
  std::optional<FeedPosition> position;
  if (!after.empty()) {
    LAPSE_ASSIGN_OR_RETURN(position, FeedPosition::Decode(after));
  }
  for (size_t i = 0; i < partitions.size(); ++i) {
    const Partition& partition = *partitions[i];
    const bool here = position.has_value() ? Fits(*position, scope, partition) : scope.Touches(partition.range());
    if (here) return i;
  }
  if (position.has_value()) return NotInScope();
  return size_t{0};
}

namespace {

Result<FeedPage> ReadWith(const Container& container, const FeedOptions& options, Walk&& walk) {
  LAPSE_ASSIGN_OR_RETURN(const size_t first, FirstPartitionOf(container, options.scope, options.after));
  std::optional<FeedPosition> position;
  if (!options.after.empty()) {
    LAPSE_ASSIGN_OR_RETURN(position, FeedPosition::Decode(options.after));
  }
  return walk.Run(first, position);
}

}  // namespace

Result<FeedPage> ItemFeed::ReadPage(const FeedOptions& options, const TakeItem& take) {
  return ReadWith(*container_, options, Walk(*container_, parts_, options, take));
}

Result<FeedPage> ReadFeedOfPage(const IndexPage& page, const FeedOptions& options, std::function<bool()> is_late,
                                const TakeItem& take) {
  return ReadWith(page.container(), options,
                  Walk(page.container(), page.parts(), options, take, &page.views(), std::move(is_late)));
}

}  // namespace lapse::engine
