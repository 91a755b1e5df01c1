#include "engine/partition/changes/change_feed.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/partition/changes/body_walk.h"
#include "engine/partition/changes/expiry_walk.h"
#include "engine/partition/changes/held_bodies.h"
#include "engine/partition/view/stored_tally.h"
#include "engine/records/changes/expired_range.h"
#include "engine/records/ids/families.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/prices/prices.h"

namespace lapse::engine {
namespace {

Status NoLongerKept() {
  return {Code::kNoLongerKept, "the position is older than what the container keeps"};
}

// A partition as a page of its change feed sees it. Decides which items belong to the feed.
class FeedView {
 public:
  static Result<std::unique_ptr<FeedView>> Open(const PartitionState& partition, const PageView& view,
                                                const ChangesOptions& options) {
    LAPSE_RETURN_IF_ERROR(view.moment.Check());
    std::unique_ptr<FeedView> opened(new FeedView(partition, view, options));
    LAPSE_ASSIGN_OR_RETURN(opened->tally_, LoadTallyAt(*view.snapshot, partition.store(), partition.id()));
    if (options.after > opened->tally_.last_sequence) {
      return Status(Code::kInvalidArgument, "the position is ahead of all changes");
    }
    return opened;
  }

  PartitionId partition() const { return partition_.id(); }
  store::Shard* store() const { return partition_.store(); }
  const store::Snapshot& snapshot() const { return *view_.snapshot; }
  const ReadMoment& moment() const { return view_.moment; }
  const PartitionTally& tally() const { return tally_; }

  // Returns a sequence below which all bodies of inheriting items are dead. The change log may hold very many of these.
  Result<Sequence> FirstInheriting() const {
    if (!view_.moment.state().keeps_changes()) return Sequence{0};
    LAPSE_ASSIGN_OR_RETURN(const ReleasedBodies purged, HeldBodies::LoadPurged(store(), snapshot(), partition()));
    // The snapshot is newer than the moment, so items purged in between may be live on this page.
    const auto& entries = purged.floors.entries();
    const bool dead_here = std::all_of(entries.begin(), entries.end(), [this](const ttl::Floors::Entry& entry) {
      return view_.moment.purged().Covers(entry.rule, entry.floor.base_ms, entry.floor.sequence);
    });
    return dead_here ? purged.below : 0;
  }

  // Adds the price of an item and its images to the page.
  void Price(std::string_view document, std::string_view other, ChangesPage* page) const {
    const std::string& left_out = view_.moment.state().definition.lifetime_property;
    ++page->items;
    page->items_milli_ru += PageItemMilliRu(PricedBytes(document, left_out) + PricedBytes(other, left_out));
  }

  bool IsLive(const BodyRecord& body) const {
    const bool erased = tally_.erased != nullptr && tally_.erased->Erased(body.head_key, body.lifetime);
    return !erased && moment().IsLive(body.lifetime);
  }

  bool InScope(std::string_view head_key) const {
    if (whole_) return true;
    HeadKeyParts parts;
    return SplitHeadKey(head_key, &parts) && scope_.Contains(parts.epk, parts.value);
  }

 private:
  FeedView(const PartitionState& partition, const PageView& view, const ChangesOptions& options)
      : partition_(partition), view_(view), scope_(options.scope), whole_(options.scope.Covers(partition.range())) {}

  const PartitionState& partition_;
  const PageView& view_;
  const KeyScope& scope_;
  const bool whole_;
  PartitionTally tally_;
};

// Decides where a page ends: only between writes.
class WriteByWrite {
 public:
  WriteByWrite(int items_max, const SteadyClock& steady) : limit_(items_max, steady) {}

  PageLimit& limit() { return limit_; }

  // Returns true if the page ends before this record for another reason than its size.
  bool EndsBefore(Lsn lsn) {
    const bool begins_write = lsn != lsn_;
    lsn_ = lsn;
    if (begins_write) shows_write_ = false;
    return begins_write && limit_.EndsEarly();
  }
  // Returns the place for a record of the feed, or nullopt if the page is full.
  std::optional<Place> PlaceFor() const {
    if (shows_write_) return Place::kMust;
    if (limit_.full()) return std::nullopt;
    return limit_.place();
  }
  void Shown() {
    limit_.Add();
    shows_write_ = true;
  }

 private:
  PageLimit limit_;
  Lsn lsn_ = 0;               // of the current record; LSNs begin at 1
  bool shows_write_ = false;  // a part of that write is on the page
};

// Returns the position behind which everything was written in second `since_s` or later. `_ts` rises with the sequence.
Result<Sequence> LastBefore(int64_t since_s, const FeedView& view) {
  Sequence before = 0;
  Sequence not_before = view.tally().last_sequence;
  while (before < not_before) {
    const Sequence middle = before + (not_before - before) / 2;
    const BodyWalk walk(view.store(), view.snapshot(), view.partition(), middle);
    LAPSE_RETURN_IF_ERROR(walk.status());
    BodyRecord body;
    if (walk.Valid()) LAPSE_RETURN_IF_ERROR(walk.Read(&body));
    if (walk.Valid() && walk.sequence() <= not_before && body.lifetime.ts_s < since_s) {
      before = walk.sequence();
    } else {
      not_before = middle;
    }
  }
  return before;
}

}  // namespace

Result<ChangesPage> ChangeFeed::ReadLatestVersions(const ChangesOptions& options, const TakeItem& take) {
  LAPSE_ASSIGN_OR_RETURN(const std::unique_ptr<FeedView> view, FeedView::Open(partition_, view_, options));
  ChangesPage page;
  page.last = view->tally().last_sequence;
  if (options.from_now) return page;
  page.last = options.after;
  if (options.since_s.has_value() && options.after == 0) {
    LAPSE_ASSIGN_OR_RETURN(page.last, LastBefore(*options.since_s, *view));
  }
  WriteByWrite writes(options.items_max, steady_);
  LAPSE_ASSIGN_OR_RETURN(const Sequence inheriting_from, view->FirstInheriting());
  BodyWalk walk(view->store(), view->snapshot(), view->partition(), page.last, inheriting_from);
  for (; walk.Valid(); walk.Next()) {
    BodyRecord body;
    LAPSE_RETURN_IF_ERROR(walk.Read(&body));
    page.more = writes.EndsBefore(body.lsn);
    page.cut_short = page.more && writes.limit().EndsEarlyByExpiry();
    if (page.more) return page;
    const bool recent = !options.since_s.has_value() || body.lifetime.ts_s >= *options.since_s;
    if (!view->IsLive(body)) {
      writes.limit().PassOverExpired();
    } else if (recent && view->InScope(body.head_key)) {
      Item item;
      item.meta = MetaOf(body);
      item.document = body.document;
      const std::optional<Place> place = writes.PlaceFor();
      page.more = !place.has_value() || !take(item, *place);
      if (page.more) return page;
      writes.Shown();
      view->Price(body.document, {}, &page);
    } else {
      writes.limit().PassOverOther();
    }
    page.last = walk.sequence();
  }
  LAPSE_RETURN_IF_ERROR(walk.status());
  page.last = view->tally().last_sequence;
  return page;
}

Result<ChangesPage> ChangeFeed::ReadAllVersions(const ChangesOptions& options, const TakeChange& take) {
  LAPSE_ASSIGN_OR_RETURN(const std::unique_ptr<FeedView> view, FeedView::Open(partition_, view_, options));
  const ContainerState& state = view->moment().state();
  if (!state.keeps_changes()) {
    return Status(Code::kUnsupported, "the container does not keep all versions and deletes");
  }
  const Sequence log_since = view->moment().log_since();
  ChangesPage page;
  page.last = std::max(view->tally().last_sequence, log_since);
  if (options.from_now) return page;
  if (options.after < std::max(log_since, view->tally().log_floor)) return NoLongerKept();
  page.last = options.after;
  store::IterateOptions bounds;
  bounds.lower = LogKey(view->partition(), options.after) + '\0';
  bounds.upper = LogKey(view->partition(), view->tally().last_sequence) + '\0';
  bounds.snapshot = &view->snapshot();
  bounds.fill_cache = false;
  const std::unique_ptr<store::Iterator> changes = view->store()->NewIterator(kLogFamily, bounds);
  WriteByWrite writes(options.items_max, steady_);
  // Returns true if the page has ended.
  auto show = [&](const LoggedChange& change) {
    page.more = writes.EndsBefore(change.lsn);
    if (page.more) return true;
    if (view->InScope(change.head_key)) {
      const std::optional<Place> place = writes.PlaceFor();
      page.more = !place.has_value() || !take(change, *place);
      if (page.more) return true;
      writes.Shown();
      view->Price(change.current, change.previous_doc, &page);
    } else {
      writes.limit().PassOverOther();
    }
    page.last = change.sequence;
    return false;
  };
  for (changes->SeekToFirst(); changes->Valid(); changes->Next()) {
    LoggedChange change;
    LogFront front;
    std::string_view rest = changes->value();
    LAPSE_RETURN_IF_ERROR(TakeLogFront(changes->key(), &rest, &front));
    if (front.kind != LogRecordKind::kExpiredRange) {
      LAPSE_RETURN_IF_ERROR(DecodeLoggedChange(changes->key(), changes->value(), &change));
      if (show(change)) return page;
      continue;
    }
    ExpiredRange range;
    LAPSE_RETURN_IF_ERROR(DecodeExpiredRange(changes->key(), changes->value(), &range));
    ExpiryWalk expiries(view->store(), view->snapshot(), view->partition(), range, options.after);
    for (; expiries.Valid(); expiries.Next()) {
      LAPSE_RETURN_IF_ERROR(expiries.Read(&change));
      if (show(change)) return page;
    }
    LAPSE_RETURN_IF_ERROR(expiries.status());
    page.last = range.last_sequence;
  }
  LAPSE_RETURN_IF_ERROR(changes->status());
  page.last = view->tally().last_sequence;
  return page;
}

}  // namespace lapse::engine
