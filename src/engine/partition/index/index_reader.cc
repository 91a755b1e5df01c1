#include "engine/partition/index/index_reader.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/fetch_ahead.h"
#include "engine/partition/index/written_walk.h"
#include "engine/partition/view/stored_tally.h"
#include "engine/records/ids/families.h"
#include "engine/records/items/item_keys.h"

namespace lapse::engine {

namespace {

// A page adds at most this many items per partition to the cache. A query for few items may be repeated, but a page of
// thousands must not evict hot ones.
constexpr int kBroughtInMax = 256;

// Bytes of a document that are prefetched. Most documents are shorter.
constexpr size_t kFetchedAheadBytes = 1024;

void FetchDocument(const CachedItem& item) {
  FetchAhead(item.document.data(), std::min(item.document.size(), kFetchedAheadBytes));
}

// Returns the place of the range's value, as KnownLists defines it.
std::string PlaceOf(const IndexRange& range, const ReadMoment& moment, PartitionNumber partition) {
  return IndexPathPrefix(moment.state().index->id, partition, range.path) + range.lower;
}

}  // namespace

IndexReader::IndexReader(const PartitionState& partition, ItemCache* cache, const PageView& view,
                         const IndexMemory::Start& start)
    : partition_(partition), cache_(cache), view_(view), start_(start) {}

std::unique_ptr<EntryWalk> IndexReader::Walk(const IndexRange& range) const {
  if (range.path == kWrittenPath) {
    const WrittenBodies bodies{store(), view_.snapshot.get(), &view_.moment, partition_.id()};
    return std::make_unique<WrittenWalk>(bodies, range);
  }
  return std::make_unique<IndexWalk>(store(), snapshot(), view_.moment.state().index->id, partition_.number(), range,
                                     PassedRuns{KnownRuns(range.path), &partition_.index_memory()->dead_runs});
}

std::vector<DeadRun> IndexReader::KnownRuns(const PathNumber& path) const {
  const DeadRuns& runs = partition_.index_memory()->dead_runs;
  if (runs.empty()) return {};
  return runs.UsableBy(start_.runs, IndexPathPrefix(view_.moment.state().index->id, partition_.number(), path));
}

Result<bool> IndexReader::FindFew(const IndexRange& range, size_t items_max, std::vector<ItemNumber>* items) const {
  items->clear();
  if (!range.one_value || range.path == kWrittenPath || !partition_.index_memory()->dead_runs.empty()) return false;
  IndexWalk walk(store(), snapshot(), view_.moment.state().index->id, partition_.number(), range);
  for (; walk.Valid() && items->size() < items_max; walk.Next()) items->push_back(walk.item());
  if (walk.Valid()) return false;
  LAPSE_RETURN_IF_ERROR(walk.status());
  return true;
}

uint64_t IndexReader::ApproximateBytes(const IndexRange& range) const {
  if (range.path == kWrittenPath) return 0;
  return engine::ApproximateBytes(store(), view_.moment.state().index->id, partition_.number(), range);
}

std::shared_ptr<const std::vector<ItemNumber>> IndexReader::KnownItems(const IndexRange& range) const {
  KnownLists& known = partition_.index_memory()->known_lists;
  if (!range.one_value || !known.watches()) return nullptr;
  return known.Find(PlaceOf(range, view_.moment, partition_.number()), start_.lists);
}

void IndexReader::OfferItems(const IndexRange& range, const std::vector<ItemNumber>& items) const {
  KnownLists& known = partition_.index_memory()->known_lists;
  if (!range.one_value || !known.IsWorthAList(items.size())) return;
  known.Offer(PlaceOf(range, view_.moment, partition_.number()), start_.lists, items);
}

Status IndexReader::FindLive(std::span<const ItemNumber> items, std::vector<std::optional<HeadRecord>>* live) {
  live->assign(items.size(), std::nullopt);
  LAPSE_RETURN_IF_ERROR(LoadTally());
  keys_.clear();
  for (ItemNumber item : items) keys_ += RecordKey(partition_.id().container, item);
  Fetch(kRecordFamily, items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    // The item of an entry without a record is gone.
    if (statuses_[i].code() == Code::kNotFound) continue;
    LAPSE_RETURN_IF_ERROR(statuses_[i]);
    HeadRecord head;
    LAPSE_RETURN_IF_ERROR(DecodeHead(values_[i].view(), &head));
    if (view_.moment.IsLive(head.lifetime)) (*live)[i] = std::move(head);
  }
  return tally_->erased == nullptr ? Status::Ok() : TakeErasedOut(live);
}

// A deleted item's entries are deleted with it, so only expired and erased items leave entries behind.
Result<bool> IndexReader::EveryItemLives() {
  LAPSE_RETURN_IF_ERROR(LoadTally());
  const bool expires =
      view_.moment.state().policy.default_ttl.has_value() || !view_.moment.state().policy.date_rules.empty();
  return !expires && view_.moment.dead().empty() && view_.moment.purged().empty() && tally_->erased == nullptr;
}

Result<Sequence> IndexReader::LastSequence() {
  LAPSE_RETURN_IF_ERROR(LoadTally());
  return tally_->last_sequence;
}

Result<bool> IndexReader::MayLeaveOut() {
  LAPSE_RETURN_IF_ERROR(LoadTally());
  return tally_->has_excluded || view_.moment.state().index->paths->LeavesOut(IndexingDirective::kDefault);
}

// Loads from the same snapshot as the items: a page that shows a write made after the deletion of a key must also apply
// that deletion.
Status IndexReader::LoadTally() {
  if (tally_ != nullptr) return Status::Ok();
  SeenTally& seen = partition_.index_memory()->seen_tally;
  tally_ = seen.Find(start_.commits);
  if (tally_ != nullptr) return Status::Ok();
  LAPSE_ASSIGN_OR_RETURN(PartitionTally tally, LoadTallyAt(snapshot(), store(), partition_.id()));
  tally_ = std::make_shared<const PartitionTally>(std::move(tally));
  seen.Note(start_.commits, *tally_);
  return Status::Ok();
}

Status IndexReader::TakeErasedOut(std::vector<std::optional<HeadRecord>>* live) {
  std::vector<HeadRecord> records;
  std::vector<size_t> places;
  for (size_t i = 0; i < live->size(); ++i) {
    if (!(*live)[i].has_value()) continue;
    records.push_back(*(*live)[i]);
    places.push_back(i);
  }
  FetchBodies(records);
  for (size_t i = 0; i < records.size(); ++i) {
    BodyRecord body;
    LAPSE_RETURN_IF_ERROR(BodyAt(i, &body));
    if (tally_->erased->Erased(body.head_key, body.lifetime)) (*live)[places[i]].reset();
  }
  return Status::Ok();
}

Status IndexReader::ReadLive(std::span<const ItemNumber> items, std::vector<std::optional<HeadRecord>>* live,
                             const std::function<bool(const Item&)>& take) {
  LAPSE_RETURN_IF_ERROR(LoadTally());
  std::vector<std::shared_ptr<const CachedItem>> cached(items.size());
  std::vector<ItemNumber> others;
  for (size_t i = 0; i < items.size(); ++i) {
    cached[i] = Cached(items[i]);
    if (cached[i] == nullptr) others.push_back(items[i]);
  }
  if (!cached.empty() && cached.front() != nullptr) FetchDocument(*cached.front());
  std::vector<std::optional<HeadRecord>> stored;
  if (!others.empty()) LAPSE_RETURN_IF_ERROR(FindLive(others, &stored));
  std::vector<HeadRecord> records;
  for (const std::optional<HeadRecord>& head : stored) {
    if (head.has_value()) records.push_back(*head);
  }
  if (!records.empty()) FetchBodies(records);
  live->assign(items.size(), std::nullopt);
  auto next_stored = stored.begin();
  for (size_t i = 0; i < items.size(); ++i) {
    if (cached[i] == nullptr) {
      (*live)[i] = *next_stored++;
    } else if (view_.moment.IsLive(cached[i]->head.lifetime) &&
               (tally_->erased == nullptr || !tally_->erased->Erased(cached[i]->head_key, cached[i]->head.lifetime))) {
      (*live)[i] = cached[i]->head;
    }
  }
  size_t place = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    // Prefetches the next item while `take` works on this one.
    if (i + 1 < items.size() && cached[i + 1] != nullptr) FetchDocument(*cached[i + 1]);
    if (!(*live)[i].has_value()) continue;
    Item item;
    if (cached[i] != nullptr) {
      item.meta = MetaOf(*cached[i]);
      item.document = cached[i]->document;
    } else {
      BodyRecord body;
      LAPSE_RETURN_IF_ERROR(BodyAt(place++, &body));
      item.meta = MetaOf(body);
      item.document = body.document;
      BringIntoCache(*(*live)[i], body);
    }
    if (!take(item)) break;
  }
  return Status::Ok();
}

// The cache has the store's current version of an item. If the page's snapshot includes that change, it is the last one
// there, too.
std::shared_ptr<const CachedItem> IndexReader::Cached(ItemNumber item) const {
  std::shared_ptr<const CachedItem> cached = cache_->Peek(partition_.id().container, item);
  const bool is_seen = cached != nullptr && cached->head.partition == partition_.number() &&
                       cached->head.lifetime.sequence <= tally_->last_sequence;
  return is_seen ? cached : nullptr;
}

void IndexReader::BringIntoCache(const HeadRecord& head, const BodyRecord& body) {
  if (brought_in_ >= kBroughtInMax || !cache_->IsWanted(partition_.id().container, head.number)) return;
  ++brought_in_;
  ItemCache::Load load;
  if (cache_->Find(body.head_key, &load) != nullptr) return;
  // The snapshot is older than the load, so the item may have been written since.
  store::PinnedValue value;
  HeadRecord now;
  const std::string record_key = RecordKey(partition_.id().container, head.number);
  if (!store()->Get(kRecordFamily, record_key, &value, {.reach = store::Reach::kMemory}).ok() ||
      !DecodeHead(value.view(), &now).ok() || now.lifetime.sequence != head.lifetime.sequence) {
    return;
  }
  auto item = std::make_shared<CachedItem>();
  item->head_key = body.head_key;
  item->head = head;
  item->lsn = body.lsn;
  item->document = body.document;
  load.Insert(std::move(item));
}

Status IndexReader::ReadKeys(std::span<const HeadRecord> records,
                             const std::function<void(ItemNumber item, std::string_view head_key)>& take) {
  FetchBodies(records);
  for (size_t i = 0; i < records.size(); ++i) {
    BodyRecord body;
    LAPSE_RETURN_IF_ERROR(BodyAt(i, &body));
    take(body.number, body.head_key);
  }
  return Status::Ok();
}

void IndexReader::FetchBodies(std::span<const HeadRecord> records) {
  keys_.clear();
  for (const HeadRecord& head : records) {
    AppendBodyKey({partition_.id().container, head.partition}, head.lifetime, &keys_);
  }
  Fetch(kBodyFamily, records.size());
}

void IndexReader::Fetch(store::FamilyId family, size_t count) {
  key_views_.clear();
  const size_t key_bytes = count == 0 ? 0 : keys_.size() / count;
  for (size_t at = 0; at < keys_.size(); at += key_bytes)
    key_views_.push_back(std::string_view(keys_).substr(at, key_bytes));
  store()->MultiGet(family, key_views_, &values_, &statuses_, {.snapshot = view_.snapshot.get()});
}

Status IndexReader::BodyAt(size_t place, BodyRecord* body) const {
  if (statuses_[place].code() == Code::kNotFound) return {Code::kCorruption, "the body of an item is missing"};
  LAPSE_RETURN_IF_ERROR(statuses_[place]);
  return DecodeBody(values_[place].view(), body);
}

}  // namespace lapse::engine
