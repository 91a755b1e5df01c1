#include "engine/expiry/purge_filter.h"

#include <algorithm>
#include <limits>
#include <mutex>

#include "engine/expiry/lifetime_summary.h"
#include "engine/items/records.h"

namespace lapse::engine {

// What most keys begin with.
PurgeFilter::PartitionId PurgeFilter::ReadPartition(ByteReader* key) {
  const ContainerId container = key->BigEndian<ContainerId>();
  return {container, key->BigEndian<uint32_t>()};
}

std::optional<PurgeFilter::Owned> PurgeFilter::ReadHead(std::string_view key, std::string_view value) {
  HeadRecord head;
  if (!DecodeHead(value, &head).ok()) return std::nullopt;
  ByteReader reader(key);
  const ContainerId container = reader.BigEndian<ContainerId>();
  if (!reader.ok()) return std::nullopt;
  return Owned{{container, head.stream}, std::move(head.lifetime)};
}

std::optional<PurgeFilter::Owned> PurgeFilter::ReadOfStream(std::string_view key, std::string_view value) {
  ByteReader reader(key);
  Owned owned{ReadPartition(&reader), {}};
  if (!reader.ok() || !TakeRecordFront(&value, &owned.lifetime)) return std::nullopt;
  return owned;
}

// As if it had a lifetime without a time: it dies by its LSN alone.
std::optional<PurgeFilter::Owned> PurgeFilter::ReadChange(std::string_view key, std::string_view /*value*/) {
  ByteReader reader(key);
  Owned owned{ReadPartition(&reader), {}};
  owned.lifetime.lsn = reader.BigEndian<uint64_t>();
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
    owned ? summary_.Add(owned->partition.first, owned->partition.second, owned->lifetime) : summary_.AddUnknown();
  }
  std::string Bytes() const override { return summary_.Encode(); }

 private:
  const Read read_;
  LifetimeSummary summary_;
};

PurgeFilter::PurgeFilter()
    : heads_(this, &ReadHead, &Dead::items),
      streams_(this, &ReadOfStream, &Dead::items),
      logs_(this, &ReadChange, &Dead::changes),
      cohorts_(this, &ReadCohort, &Dead::cohorts) {}

void PurgeFilter::Publish(ContainerId container, uint32_t stream, const PartitionTally& tally) {
  Dead dead{.items = tally.purged.floors, .changes = {}, .cohorts = {}};
  if (tally.log_floor > 0) {
    dead.changes.Raise(ttl::kInheritRule, {std::numeric_limits<int64_t>::max(), tally.log_floor});
  }
  std::unique_lock lock(mutex_);
  dead_[{container, stream}] = std::move(dead);
}

void PurgeFilter::KnowsAllUpTo(ContainerId last) {
  std::unique_lock lock(mutex_);
  known_up_to_ = std::max(known_up_to_, last);
}

void PurgeFilter::Forget(ContainerId container) {
  std::unique_lock lock(mutex_);
  std::erase_if(dead_, [&](const auto& entry) { return entry.first.first == container; });
  known_up_to_ = std::max(known_up_to_, container);
}

bool PurgeFilter::AllGone(ContainerId first, ContainerId last) const {
  if (first > last || last > known_up_to_) return false;
  const auto next = dead_.lower_bound({first, 0});
  return next == dead_.end() || next->first.first > last;
}

template <typename Covers>
bool PurgeFilter::IsDead(PartitionId partition, FloorsOfKind floors, const Covers& covers) const {
  const auto found = dead_.find(partition);
  if (found != dead_.end()) return covers(found->second.*floors);
  return AllGone(partition.first, partition.first);
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
    return filter_->IsDead({group.container, group.stream}, floors_, [&](const ttl::Floors& floors) {
      return floors.Covers(group.rule, group.base_ms, group.lsn);
    });
  });
}

bool PurgeFilter::Kind::MayDropBetween(std::string_view first_key, std::string_view last_key) const {
  ByteReader first(first_key);
  ByteReader last(last_key);
  const ContainerId from = first.BigEndian<ContainerId>();
  const ContainerId to = last.BigEndian<ContainerId>();
  std::shared_lock lock(filter_->mutex_);
  return first.ok() && last.ok() && filter_->AllGone(from, to);
}

}  // namespace lapse::engine
