#include "engine/shard/purge/purge_filter.h"

#include <algorithm>
#include <limits>
#include <mutex>

#include "engine/records/expiry/item_range_summary.h"
#include "engine/records/expiry/lifetime_summary.h"
#include "engine/records/expiry/live_items.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/items/item_records.h"
#include "engine/records/unique_keys/unique_entry.h"

namespace lapse::engine {

// The prefix of most keys.
PartitionId PurgeFilter::ReadPartition(ByteReader* key) {
  const ContainerId container = key->BigEndian<ContainerId>();
  return {container, key->BigEndian<PartitionNumber>()};
}

std::optional<PurgeFilter::Owned> PurgeFilter::ReadHead(std::string_view key, std::string_view value) {
  HeadRecord head;
  if (!DecodeHead(value, &head).ok()) return std::nullopt;
  ByteReader reader(key);
  const ContainerId container = reader.BigEndian<ContainerId>();
  if (!reader.ok()) return std::nullopt;
  return Owned{{container, head.partition}, std::move(head.lifetime)};
}

std::optional<PurgeFilter::Owned> PurgeFilter::ReadOfPartition(std::string_view key, std::string_view value) {
  ByteReader reader(key);
  Owned owned{ReadPartition(&reader), {}};
  if (!reader.ok() || !TakeRecordFront(&value, &owned.lifetime)) return std::nullopt;
  return owned;
}

// Treated as a lifetime without a time: a change dies by its sequence alone.
std::optional<PurgeFilter::Owned> PurgeFilter::ReadChange(std::string_view key, std::string_view /*value*/) {
  ByteReader reader(key);
  Owned owned{ReadPartition(&reader), {}};
  owned.lifetime.sequence = reader.BigEndian<Sequence>();
  if (!reader.AtEnd()) return std::nullopt;
  return owned;
}

std::optional<PurgeFilter::Owned> PurgeFilter::ReadCohort(std::string_view key, std::string_view /*value*/) {
  ByteReader reader(key);
  Owned owned{ReadPartition(&reader), {}};
  if (!reader.ok()) return std::nullopt;
  return owned;
}

class PurgeFilter::LatestOfKind : public store::DropPredicate::Summary {
 public:
  explicit LatestOfKind(Read read) : read_(read) {}

  void Add(std::string_view key, std::string_view value) override {
    const std::optional<Owned> owned = read_(key, value);
    owned ? summary_.Add(owned->partition, owned->lifetime) : summary_.AddUnknown();
  }
  std::string Bytes() const override { return summary_.Encode(); }

 private:
  const Read read_;
  LifetimeSummary summary_;
};

PurgeFilter::PurgeFilter()
    : heads_(this, &ReadHead, &Dead::items),
      bodies_(this, &ReadOfPartition, &Dead::bodies),
      members_(this, &ItemsOfMember, Owner::kContainer),
      unique_entries_(this, &ItemsOfUniqueEntry, Owner::kContainer),
      index_entries_(this, &ItemsOfIndexEntry, Owner::kIndex),
      logs_(this, &ReadChange, &Dead::changes),
      cohorts_(this, &ReadCohort, &Dead::nothing) {}

PurgeFilter::Dead PurgeFilter::DeadBy(const PartitionTally& tally, const ttl::Floors& released_bodies) {
  Dead dead;
  dead.items = tally.purged.floors;
  dead.bodies = released_bodies;
  if (tally.log_floor > 0) {
    dead.changes.Raise(ttl::kInheritRule, {std::numeric_limits<int64_t>::max(), tally.log_floor});
  }
  return dead;
}

void PurgeFilter::Add(PartitionId partition, const PartitionTally& tally, const ttl::Floors& released_bodies) {
  std::unique_lock lock(mutex_);
  dead_[partition] = DeadBy(tally, released_bodies);
}

void PurgeFilter::Raise(PartitionId partition, const PartitionTally& tally, const ttl::Floors& released_bodies) {
  Dead dead = DeadBy(tally, released_bodies);
  std::unique_lock lock(mutex_);
  const auto found = dead_.find(partition);
  if (found == dead_.end()) return;
  dead.live = std::move(found->second.live);
  found->second = std::move(dead);
}

void PurgeFilter::SetLiveItems(PartitionId partition, std::shared_ptr<const LiveItems> live) {
  std::unique_lock lock(mutex_);
  const auto found = dead_.find(partition);
  if (found != dead_.end()) found->second.live = std::move(live);
}

ttl::Floors PurgeFilter::FloorsOf(PartitionId partition) const {
  std::shared_lock lock(mutex_);
  const auto found = dead_.find(partition);
  return found == dead_.end() ? ttl::Floors() : found->second.items;
}

void PurgeFilter::AddIndex(IndexId index, ContainerId container) {
  std::unique_lock lock(mutex_);
  indexes_[index] = container;
}

void PurgeFilter::ForgetIndex(IndexId index) {
  std::unique_lock lock(mutex_);
  indexes_.erase(index);
  known_up_to_ = std::max(known_up_to_, index);
}

void PurgeFilter::KnowsAllUpTo(ContainerId last) {
  std::unique_lock lock(mutex_);
  known_up_to_ = std::max(known_up_to_, last);
}

void PurgeFilter::Forget(ContainerId container) {
  std::unique_lock lock(mutex_);
  std::erase_if(dead_, [&](const auto& entry) { return entry.first.container == container; });
  known_up_to_ = std::max(known_up_to_, container);
  for (auto index = indexes_.begin(); index != indexes_.end();) {
    if (index->second != container) {
      ++index;
      continue;
    }
    known_up_to_ = std::max(known_up_to_, index->first);
    index = indexes_.erase(index);
  }
}

bool PurgeFilter::AllGone(Owner owner, uint32_t first, uint32_t last) const {
  if (first > last || last > known_up_to_) return false;
  if (owner == Owner::kIndex) {
    const auto next = indexes_.lower_bound(first);
    return next == indexes_.end() || next->first > last;
  }
  const auto next = dead_.lower_bound({first, 0});
  return next == dead_.end() || next->first.container > last;
}

bool PurgeFilter::AllGoneBetween(Owner owner, std::string_view first_key, std::string_view last_key) const {
  ByteReader first(first_key);
  ByteReader last(last_key);
  const uint32_t from = first.BigEndian<uint32_t>();
  const uint32_t to = last.BigEndian<uint32_t>();
  std::shared_lock lock(mutex_);
  return first.ok() && last.ok() && AllGone(owner, from, to);
}

bool PurgeFilter::AreGone(Owner owner, PartitionId partition, uint64_t first_creation, uint64_t last_creation) const {
  if (owner == Owner::kIndex) {
    const auto index = indexes_.find(partition.container);
    if (index == indexes_.end()) return AllGone(owner, partition.container, partition.container);
    partition.container = index->second;
  }
  const auto found = dead_.find(partition);
  if (found == dead_.end()) return AllGone(Owner::kContainer, partition.container, partition.container);
  return found->second.live != nullptr && found->second.live->AreGone(first_creation, last_creation);
}

template <typename Covers>
bool PurgeFilter::IsDead(PartitionId partition, FloorsOfKind floors, const Covers& covers) const {
  const auto found = dead_.find(partition);
  if (found != dead_.end()) return covers(found->second.*floors);
  return AllGone(Owner::kContainer, partition.container, partition.container);
}

bool PurgeFilter::Kind::MayDrop(std::string_view key, std::string_view value) const {
  const std::optional<Owned> owned = read_(key, value);
  if (!owned) return false;
  std::shared_lock lock(filter_->mutex_);
  return filter_->IsDead(owned->partition, floors_,
                         [&](const ttl::Floors& floors) { return floors.Covers(owned->lifetime); });
}

std::unique_ptr<store::DropPredicate::Summary> PurgeFilter::Kind::NewSummary() const {
  return std::make_unique<LatestOfKind>(read_);
}

bool PurgeFilter::Kind::MayDropAll(std::string_view summary) const {
  const auto groups = LifetimeSummary::Decode(summary);
  if (!groups) return false;
  std::shared_lock lock(filter_->mutex_);
  return std::all_of(groups->begin(), groups->end(), [this](const LifetimeSummary::Group& group) {
    return filter_->IsDead(group.partition, floors_, [&](const ttl::Floors& floors) {
      return floors.Covers(group.rule, group.base_ms, group.sequence);
    });
  });
}

bool PurgeFilter::Kind::MayDropBetween(std::string_view first_key, std::string_view last_key) const {
  return filter_->AllGoneBetween(Owner::kContainer, first_key, last_key);
}

std::vector<ItemNumber> PurgeFilter::ItemsOfMember(std::string_view key, std::string_view /*value*/) {
  const std::optional<ItemNumber> item = ItemOfMemberKey(key);
  return item.has_value() ? std::vector{*item} : std::vector<ItemNumber>();
}

std::vector<ItemNumber> PurgeFilter::ItemsOfUniqueEntry(std::string_view key, std::string_view value) {
  std::vector<ItemNumber> holders;
  if (key.size() < kContainerPrefixBytes || !DecodeUniqueEntry(value, &holders).ok()) return {};
  return holders;
}

std::vector<ItemNumber> PurgeFilter::ItemsOfIndexEntry(std::string_view key, std::string_view /*value*/) {
  IndexKeyParts parts;
  if (!SplitIndexKey(key, &parts)) return {};
  return {parts.item};
}

class PurgeFilter::ItemsOfTable : public store::DropPredicate::Summary {
 public:
  explicit ItemsOfTable(OfItems::ReadItems read) : read_(read) {}

  void Add(std::string_view key, std::string_view value) override {
    const std::vector<ItemNumber> items = read_(key, value);
    if (items.empty()) return summary_.AddUnknown();
    for (ItemNumber item : items) summary_.Add(ByteReader(key).BigEndian<ContainerId>(), item);
  }
  std::string Bytes() const override { return summary_.Encode(); }

 private:
  const OfItems::ReadItems read_;
  ItemRangeSummary summary_;
};

bool PurgeFilter::OfItems::MayDrop(std::string_view key, std::string_view value) const {
  const std::vector<ItemNumber> items = read_(key, value);
  if (items.empty()) return false;
  const ContainerId container = ByteReader(key).BigEndian<ContainerId>();
  std::shared_lock lock(filter_->mutex_);
  return std::all_of(items.begin(), items.end(), [&](ItemNumber item) {
    return filter_->AreGone(owner_, {container, PartitionOf(item)}, CreationOf(item), CreationOf(item));
  });
}

std::unique_ptr<store::DropPredicate::Summary> PurgeFilter::OfItems::NewSummary() const {
  return std::make_unique<ItemsOfTable>(read_);
}

bool PurgeFilter::OfItems::MayDropAll(std::string_view summary) const {
  const auto groups = ItemRangeSummary::Decode(summary);
  if (!groups) return false;
  std::shared_lock lock(filter_->mutex_);
  return std::all_of(groups->begin(), groups->end(), [this](const ItemRangeSummary::Group& group) {
    return filter_->AreGone(owner_, group.partition, group.first, group.last);
  });
}

bool PurgeFilter::OfItems::MayDropBetween(std::string_view first_key, std::string_view last_key) const {
  return filter_->AllGoneBetween(owner_, first_key, last_key);
}

}  // namespace lapse::engine
