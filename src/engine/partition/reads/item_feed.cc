#include "engine/partition/reads/item_feed.h"

#include <utility>

#include "engine/partition/view/stored_tally.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/prices/prices.h"

namespace lapse::engine {
namespace {

constexpr uint64_t kRecordsBetweenLooks = 256;

}  // namespace

Result<ItemFeed::Go> ItemFeed::ReadPartition(const PartitionState& partition, const PageView& view,
                                             const std::optional<FeedPosition>& position) {
  LAPSE_RETURN_IF_ERROR(view.moment.Check());
  view_ = &view;
  // Loads from the same snapshot as the items: a page that shows a write made after the deletion of a key must also
  // apply that deletion.
  LAPSE_ASSIGN_OR_RETURN(const PartitionTally tally, LoadTallyAt(*view.snapshot, partition.store(), partition.id()));
  erased_ = tally.erased;
  if (!scope_.Covers(partition.range())) return WalkMembers(partition, position);
  // If all changes were creations, the order of the bodies, which is that of the changes, is also the order of numbers.
  if (tally.creations == tally.last_sequence) return WalkBodies(partition, position);
  return WalkRecords(partition, position);
}

FeedPage ItemFeed::TakePage(Go last) {
  if (last == Go::kPageEnds) {
    page_.resume_after = reached_->Encode();
  } else {
    page_.cut_short = false;
  }
  return std::move(page_);
}

std::unique_ptr<store::Iterator> ItemFeed::BodiesOf(const PartitionState& partition, BodyClass body_class,
                                                    Sequence first, bool fill_cache) const {
  store::IterateOptions bounds;
  bounds.lower = BodyBound(partition.id(), body_class, first);
  bounds.upper = PrefixEnd(BodyPrefix(partition.id(), body_class));
  bounds.snapshot = view_->snapshot.get();
  bounds.fill_cache = fill_cache;
  bounds.scan = true;
  std::unique_ptr<store::Iterator> bodies = partition.store()->NewIterator(kBodyFamily, bounds);
  bodies->SeekToFirst();
  return bodies;
}

// Each item still has its first body, and item numbers equal sequences. So the bodies have everything that the records
// have.
Result<ItemFeed::Go> ItemFeed::WalkBodies(const PartitionState& partition,
                                          const std::optional<FeedPosition>& position) {
  const Sequence first = position.has_value() ? CreationOf(position->item) + 1 : 0;
  ScansTogether::Scan scan(partition.scans(), MakeItemNumber(partition.number(), first));
  const std::unique_ptr<store::Iterator> inheriting =
      BodiesOf(partition, BodyClass::kInheriting, first, scan.has_company());
  const std::unique_ptr<store::Iterator> own = BodiesOf(partition, BodyClass::kOwnLifetime, first, scan.has_company());
  // An iterator that failed is not at its end, so the other one's body may not be next.
  LAPSE_RETURN_IF_ERROR(inheriting->status());
  LAPSE_RETURN_IF_ERROR(own->status());
  while (inheriting->Valid() || own->Valid()) {
    // In body keys the class precedes the sequence.
    const bool is_own = !inheriting->Valid() || (own->Valid() && own->key().substr(kBodyPrefixBytes) <
                                                                     inheriting->key().substr(kBodyPrefixBytes));
    store::Iterator* const next = is_own ? own.get() : inheriting.get();
    BodyRecord body;
    LAPSE_RETURN_IF_ERROR(DecodeBody(next->value(), &body));
    FeedPosition here;
    here.item = body.number;
    scan.MoveTo(body.number);
    LAPSE_ASSIGN_OR_RETURN(const Go go, ShowBody(body, here));
    if (go == Go::kPageEnds) return go;
    next->Next();
    if (!next->Valid()) LAPSE_RETURN_IF_ERROR(next->status());
  }
  return Go::kOn;
}

Result<ItemFeed::Go> ItemFeed::WalkRecords(const PartitionState& partition,
                                           const std::optional<FeedPosition>& position) {
  store::IterateOptions bounds;
  const ItemNumber first = position.has_value() ? position->item + 1 : MakeItemNumber(partition.number(), 0);
  bounds.lower = RecordKey(partition.id().container, first);
  bounds.upper = PrefixEnd(RecordKey(partition.id().container, MakeItemNumber(partition.number(), kCreationsMax)));
  bounds.snapshot = view_->snapshot.get();
  bounds.fill_cache = false;
  const std::unique_ptr<store::Iterator> records = partition.store()->NewIterator(kRecordFamily, bounds);
  ScansTogether::Scan scan(partition.scans(), first);
  BodyCursor bodies(partition.store(), *view_->snapshot, partition.id().container, scan.has_company());
  for (records->SeekToFirst(); records->Valid(); records->Next()) {
    HeadRecord head;
    LAPSE_RETURN_IF_ERROR(DecodeHead(records->value(), &head));
    FeedPosition here;
    here.item = head.number;
    scan.MoveTo(head.number);
    LAPSE_ASSIGN_OR_RETURN(const Go go, Show(&head, &bodies, here));
    if (go == Go::kPageEnds) return go;
  }
  LAPSE_RETURN_IF_ERROR(records->status());
  return Go::kOn;
}

Result<ItemFeed::Go> ItemFeed::WalkMembers(const PartitionState& partition,
                                           const std::optional<FeedPosition>& position) {
  const std::unique_ptr<store::Iterator> members =
      partition.store()->NewIterator(kMemberFamily, MemberBounds(partition, position));
  BodyCursor bodies(partition.store(), *view_->snapshot, partition.id().container);
  for (members->SeekToFirst(); members->Valid(); members->Next()) {
    MemberKeyParts parts;
    if (!SplitMemberKey(members->key(), &parts)) return Status(Code::kCorruption, "malformed member of a key");
    if (!scope_.Contains(parts.epk, parts.value)) {
      if (EndsEarly()) return EndEarly();
      limit_.PassOverOther();
      continue;
    }
    FeedPosition here{FeedPosition::Order::kMembers, parts.item, {parts.epk, std::string(parts.value)}};
    // The item of a member without a record is gone.
    HeadRecord head;
    Status found = FindRecord(partition, parts.item, &head);
    if (!found.ok() && found.code() != Code::kNotFound) return found;
    LAPSE_ASSIGN_OR_RETURN(const Go go, Show(found.ok() ? &head : nullptr, &bodies, here));
    if (go == Go::kPageEnds) return go;
  }
  LAPSE_RETURN_IF_ERROR(members->status());
  return Go::kOn;
}

store::IterateOptions ItemFeed::MemberBounds(const PartitionState& partition,
                                             const std::optional<FeedPosition>& position) const {
  KeyBounds members = MemberBoundsOf(partition.id().container, scope_, partition.range());
  store::IterateOptions bounds;
  bounds.lower = std::move(members.lower);
  bounds.upper = std::move(members.upper);
  if (position.has_value()) bounds.lower = MemberKey(partition.id().container, position->key, position->item) + '\0';
  bounds.snapshot = view_->snapshot.get();
  bounds.fill_cache = false;
  return bounds;
}

Status ItemFeed::FindRecord(const PartitionState& partition, ItemNumber item, HeadRecord* head) {
  LAPSE_RETURN_IF_ERROR(partition.store()->Get(kRecordFamily, RecordKey(partition.id().container, item), &record_,
                                               {.snapshot = view_->snapshot.get()}));
  return DecodeHead(record_.view(), head);
}

Status ItemFeed::LookNowAndThen() {
  return ++records_ % kRecordsBetweenLooks == 0 && look_ ? look_() : Status::Ok();
}

Result<ItemFeed::Go> ItemFeed::Show(const HeadRecord* head, BodyCursor* bodies, const FeedPosition& position) {
  if (EndsEarly()) return EndEarly();
  LAPSE_RETURN_IF_ERROR(LookNowAndThen());
  if (head == nullptr || !view_->moment.IsLive(head->lifetime)) return PassOver(position);
  BodyRecord body;
  if (erased_ != nullptr) {
    // A record by number does not name its partition key.
    LAPSE_RETURN_IF_ERROR(bodies->Find(*head, &body));
    if (erased_->Erased(body.head_key, head->lifetime)) return PassOver(position);
  }
  // Only now, with another item found, is it known that there is more.
  if (limit_.full()) return Go::kPageEnds;
  if (erased_ == nullptr) LAPSE_RETURN_IF_ERROR(bodies->Find(*head, &body));
  return Put(body, position);
}

Result<ItemFeed::Go> ItemFeed::ShowBody(const BodyRecord& body, const FeedPosition& position) {
  if (EndsEarly()) return EndEarly();
  LAPSE_RETURN_IF_ERROR(LookNowAndThen());
  if (!view_->moment.IsLive(body.lifetime)) return PassOver(position);
  if (limit_.full()) return Go::kPageEnds;
  return Put(body, position);
}

ItemFeed::Go ItemFeed::Put(const BodyRecord& body, const FeedPosition& position) {
  Item item;
  item.meta = MetaOf(body);
  item.document = body.document;
  if (!take_(item, limit_.place())) {
    // Stops right before the item, so that the next page begins with it. A reader that took a part of the item then
    // finds the rest, even if items were created meanwhile between it and the one before.
    reached_ = position;
    --reached_->item;
    return Go::kPageEnds;
  }
  limit_.Add();
  page_.items_milli_ru += PageItemMilliRu(body.document, view_->moment.state().definition.lifetime_property);
  reached_ = position;
  return Go::kOn;
}

ItemFeed::Go ItemFeed::PassOver(const FeedPosition& position) {
  limit_.PassOverExpired();
  reached_ = position;
  return Go::kOn;
}

// Never ends before there is a position to resume from: without one, a reader would take the page for the last.
bool ItemFeed::EndsEarly() const {
  return reached_.has_value() && (limit_.EndsEarly() || (is_late_ && is_late_()));
}

ItemFeed::Go ItemFeed::EndEarly() {
  page_.cut_short = limit_.EndsEarlyByExpiry();
  return Go::kPageEnds;
}

}  // namespace lapse::engine
