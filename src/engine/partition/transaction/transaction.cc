#include "engine/partition/transaction/transaction.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/fail_point.h"
#include "engine/partition/learned/index_memory.h"
#include "engine/partition/learned/key_sizes.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"
#include "engine/records/items/item_keys.h"

namespace lapse::engine {
namespace {

// Documents read ahead are held until the commit ends. Those beyond this limit are read at their turn and released
// right after.
constexpr size_t kPreloadedBytesMax = 8 << 20;

// The puts were reported to learners of dead runs, and none is visible yet.
constinit FailPoint commit_told("commit.told");

}  // namespace

Transaction::Transaction(const PartitionState& partition, ItemCache* cache, std::span<const Follower* const> followers)
    : partition_(&partition), cache_(cache), followers_(followers) {}

void Transaction::Preload(store::FamilyId family, std::string_view key) {
  std::string_view known;
  if (overlay_.Find(family, key, &known) != Overlay::Found::kUnknown) return;
  store::PinnedValue value;
  const Status found = store()->Get(family, key, &value);
  if (found.ok()) {
    overlay_.Remember(family, key, std::string(value.view()));
    preloaded_bytes_ += value.view().size();
  }
  if (found.code() == Code::kNotFound) overlay_.Remember(family, key, std::nullopt);
}

void Transaction::PreloadItem(std::string_view head_key, const ContainerState& state, DocumentBefore before) {
  if (cache_->Contains(head_key)) return;
  Preload(kHeadFamily, head_key);
  if (!Wanted(before, state) || preloaded_bytes_ >= kPreloadedBytesMax) return;
  const Result<std::optional<HeadRecord>> head = FindHead(head_key);
  if (head.ok() && head->has_value()) {
    Preload(kBodyFamily, BodyKey({partition().container, (*head)->partition}, (*head)->lifetime));
  }
}

void Transaction::Begin(ReadMoment moment, PartitionTally tally, const KeySizes* key_sizes) {
  moment_ = std::move(moment);
  tally_ = std::move(tally);
  key_sizes_ = key_sizes;
  tally_before_ = tally_;
}

Status Transaction::Get(store::FamilyId family, std::string_view key, store::PinnedValue* value) {
  std::string_view known;
  switch (overlay_.Find(family, key, &known)) {
    case Overlay::Found::kValue: value->Set(nullptr, known); return Status::Ok();
    case Overlay::Found::kNothing: return {Code::kNotFound, ""};
    case Overlay::Found::kUnknown: break;
  }
  return store()->Get(family, key, value);
}

Result<std::optional<HeadRecord>> Transaction::FindHead(std::string_view head_key) {
  std::string_view known;
  const bool changed_here = overlay_.Find(kHeadFamily, head_key, &known) != Overlay::Found::kUnknown;
  if (!changed_here) {
    if (auto cached = cache_->Peek(head_key)) return std::optional(cached->head);
  }
  store::PinnedValue value;
  const Status found = Get(kHeadFamily, head_key, &value);
  if (found.code() == Code::kNotFound) return std::optional<HeadRecord>();
  LAPSE_RETURN_IF_ERROR(found);
  HeadRecord head;
  LAPSE_RETURN_IF_ERROR(DecodeHead(value.view(), &head));
  return std::optional(std::move(head));
}

bool Transaction::IsDead(const ttl::Lifetime& lifetime) const {
  return ttl::IsDead(lifetime, state().policy, moment_->dead(), tally_.purged.floors, now_ms());
}

bool Transaction::Wanted(DocumentBefore before, const ContainerState& state) const {
  if (before == DocumentBefore::kAlways) return true;
  return std::any_of(followers_.begin(), followers_.end(),
                     [&](const Follower* one) { return one->WantsDocumentBefore(state); });
}

Result<ItemImage> Transaction::ImageBefore(std::string_view head_key, const HeadRecord& head, DocumentBefore before) {
  ItemImage image;
  image.head = &head;
  if (!Wanted(before, state())) return image;
  // The cached version may be older than one written earlier in this commit.
  cached_before_ = cache_->Peek(head_key);
  if (cached_before_ != nullptr && cached_before_->head.lifetime.sequence == head.lifetime.sequence) {
    image.lsn = cached_before_->lsn;
    image.document = cached_before_->document;
    return image;
  }
  const std::string body_key = BodyKey({partition().container, head.partition}, head.lifetime);
  std::string_view here;
  if (overlay_.Find(kBodyFamily, body_key, &here) == Overlay::Found::kValue) {
    // A copy, because the change itself removes the body from the overlay.
    body_copy_ = here;
    body_before_.Set(nullptr, body_copy_);
  } else {
    LAPSE_RETURN_IF_ERROR(Get(kBodyFamily, body_key, &body_before_));
  }
  BodyRecord body;
  LAPSE_RETURN_IF_ERROR(DecodeBody(body_before_.view(), &body));
  image.lsn = body.lsn;
  image.document = body.document;
  return image;
}

Status Transaction::Follow(const ItemChange& change) {
  for (const Follower* follower : followers_) LAPSE_RETURN_IF_ERROR(follower->Follow(change, this));
  if (change.before.head != nullptr) replaced_bytes_ += change.before.head->document_bytes;
  followed_.stored += (change.after.head != nullptr ? 1 : 0) - (change.before.head != nullptr ? 1 : 0);
  followed_.expired += change.kind == ItemChange::Kind::kExpiry ? 1 : 0;
  changed_keys_.emplace_back(change.head_key);
  grown_bytes_.push_back(GrowthBy(change));
  if (key_sizes_ != nullptr) grown_keys_[std::string(LogicalPrefixOf(change.head_key))] += grown_bytes_.back();
  return Status::Ok();
}

// An item deleted with its whole key is already subtracted, so removing its record subtracts nothing.
int64_t Transaction::GrowthBy(const ItemChange& change) const {
  const HeadRecord* before = change.before.head;
  const bool counted = before != nullptr && ErasureOf(change.head_key, before->lifetime) == nullptr;
  const int64_t after_bytes = change.after.head == nullptr ? 0 : change.after.head->document_bytes;
  return after_bytes - (counted ? int64_t{before->document_bytes} : 0);
}

Status Transaction::CheckKeySize(std::string_view head_key, int64_t growth_bytes) const {
  if (key_sizes_ == nullptr || growth_bytes <= 0) return Status::Ok();
  const std::string prefix(LogicalPrefixOf(head_key));
  // The key was deleted as a whole earlier in this commit, so its known size no longer counts.
  if (tally_.erased != nullptr && tally_.erased->UpTo(prefix) > tally_before_.last_sequence) return Status::Ok();
  const auto grown = grown_keys_.find(prefix);
  return key_sizes_->CheckGrowth(prefix, growth_bytes + (grown == grown_keys_.end() ? 0 : grown->second));
}

void Transaction::NoteGrowth(KeySizes* key_sizes) const {
  if (key_sizes->empty()) return;
  for (size_t i = 0; i < changed_keys_.size(); ++i) key_sizes->Note(changed_keys_[i], grown_bytes_[i]);
  if (tally_.erased == nullptr) return;
  for (const auto& erasure : tally_.erased->all()) {
    if (erasure->sequence > tally_before_.last_sequence) key_sizes->Forget(erasure->prefix);
  }
}

void Transaction::RollBackTo(Savepoint savepoint) {
  overlay_.RollBackTo(savepoint.overlay);
  tally_ = std::move(savepoint.tally);
  for (size_t i = savepoint.changed_keys; key_sizes_ != nullptr && i < changed_keys_.size(); ++i) {
    grown_keys_[std::string(LogicalPrefixOf(changed_keys_[i]))] -= grown_bytes_[i];
  }
  changed_keys_.resize(savepoint.changed_keys);
  grown_bytes_.resize(savepoint.changed_keys);
  replaced_bytes_ = savepoint.replaced_bytes;
  followed_ = savepoint.followed;
}

Status Transaction::CheckBytes() const {
  if (bytes() <= kTransactionBytesMax) return Status::Ok();
  return {Code::kTooLarge, "the write is larger than one commit may be"};
}

void Transaction::CheckInvariants() const {
  const PartitionTally& before = tally_before_;
  LAPSE_CHECK(tally_.last_sequence >= before.last_sequence && tally_.last_lsn >= before.last_lsn,
              "sequence numbers and LSNs of a partition rise");
  LAPSE_CHECK(tally_.creations >= before.creations, "items ever created do not become fewer");
  LAPSE_CHECK(tally_.stored.items >= 0 && tally_.stored.bytes >= 0, "a partition stores no fewer than no items");
  LAPSE_CHECK(tally_.purged.floors.CoverAll(before.purged.floors), "purged floors rise");
  LAPSE_CHECK(tally_.log_floor >= before.log_floor, "the floor of a change log rises");
  // A sweep purges whole cohorts, which no follower sees.
  const int64_t swept = tally_.purged.total.items - before.purged.total.items - followed_.expired;
  LAPSE_CHECK(swept >= 0, "what is purged does not become less");
  LAPSE_CHECK(tally_.stored.items - before.stored.items == followed_.stored - swept,
              "the tally has followed every change of the batch");
}

Status Transaction::Write(store::Durability durability, store::Room room) {
  LAPSE_RETURN_IF_ERROR(CheckBytes());
  CheckInvariants();
  const std::string tally_key = PartitionTallyKey(partition());
  const std::string tally = EncodeTally(tally_);
  store::Batch batch;
  batch.Reserve(overlay_.changes() + 1, overlay_.bytes() + tally_key.size() + tally.size());
  overlay_.AddTo(&batch, kIndexFamily);
  batch.Put(kMetaFamily, tally_key, tally);
  const auto index_puts = [this](const auto& take) { overlay_.ForEachPut(kIndexFamily, take); };
  const DeadRuns::Commit told(&partition_->index_memory()->dead_runs, index_puts);
  const KnownLists::Commit noted(&partition_->index_memory()->known_lists, index_puts);
  const SeenTally::Commit counted(&partition_->index_memory()->seen_tally);
  LAPSE_RETURN_IF_ERROR(commit_told.Check());
  cache_->BeginCommit(changed_keys_);
  Status written = store()->Write(batch, durability, room);
  cache_->EndCommit(changed_keys_);
  return written;
}

}  // namespace lapse::engine
