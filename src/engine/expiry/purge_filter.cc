#include "engine/expiry/purge_filter.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "engine/expiry/lifetime_summary.h"
#include "engine/records.h"

namespace lapse::engine {
namespace {

// Whose a record is, and what it says of its lifetime.
struct Owned {
  ContainerId container = 0;
  uint32_t stream = 0;
  ttl::Lifetime lifetime;
};

// A record that cannot be read is kept: whoever reads it will report it.
std::optional<Owned> ReadHead(std::string_view key, std::string_view value) {
  HeadRecord head;
  if (!DecodeHead(value, &head).ok()) return std::nullopt;
  ByteReader reader(key);
  const ContainerId container = reader.BigEndian<ContainerId>();
  if (!reader.ok()) return std::nullopt;
  return Owned{container, head.stream, std::move(head.lifetime)};
}

std::optional<Owned> ReadOfStream(std::string_view key, std::string_view value) {
  Owned owned;
  if (!TakeRecordFront(&value, &owned.lifetime)) return std::nullopt;
  ByteReader reader(key);
  owned.container = reader.BigEndian<ContainerId>();
  owned.stream = reader.BigEndian<uint32_t>();
  if (!reader.ok()) return std::nullopt;
  return owned;
}

class PurgeSummary : public store::DropPredicate::Summary {
 public:
  using Read = std::optional<Owned> (*)(std::string_view key, std::string_view value);

  explicit PurgeSummary(Read read) : read_(read) {}

  void Add(std::string_view key, std::string_view value) override {
    const std::optional<Owned> owned = read_(key, value);
    owned ? summary_.Add(owned->container, owned->stream, owned->lifetime) : summary_.AddUnknown();
  }
  std::string Bytes() const override { return summary_.Encode(); }

 private:
  const Read read_;
  LifetimeSummary summary_;
};

uint64_t KeyOf(ContainerId container, uint32_t stream) {
  return uint64_t{container} << 32 | stream;
}

}  // namespace

void PurgeFilter::Publish(ContainerId container, uint32_t stream, const ttl::Floors& purged) {
  std::unique_lock lock(mutex_);
  purged_[KeyOf(container, stream)] = purged;
}

bool PurgeFilter::IsPurged(ContainerId container, uint32_t stream, const ttl::Lifetime& lifetime) const {
  std::shared_lock lock(mutex_);
  auto found = purged_.find(KeyOf(container, stream));
  return found != purged_.end() && found->second.Covers(lifetime);
}

bool PurgeFilter::AllPurged(std::string_view summary) const {
  const auto groups = LifetimeSummary::Decode(summary);
  if (!groups) return false;
  std::shared_lock lock(mutex_);
  return std::all_of(groups->begin(), groups->end(), [this](const LifetimeSummary::Group& group) {
    const auto found = purged_.find(KeyOf(group.container, group.stream));
    return found != purged_.end() && found->second.Covers(group.rule, group.base_ms, group.lsn);
  });
}

bool PurgeFilter::Heads::MayDrop(std::string_view key, std::string_view value) const {
  const std::optional<Owned> owned = ReadHead(key, value);
  return owned && filter_->IsPurged(owned->container, owned->stream, owned->lifetime);
}

bool PurgeFilter::Streams::MayDrop(std::string_view key, std::string_view value) const {
  const std::optional<Owned> owned = ReadOfStream(key, value);
  return owned && filter_->IsPurged(owned->container, owned->stream, owned->lifetime);
}

std::unique_ptr<store::DropPredicate::Summary> PurgeFilter::Heads::NewSummary() const {
  return std::make_unique<PurgeSummary>(&ReadHead);
}

std::unique_ptr<store::DropPredicate::Summary> PurgeFilter::Streams::NewSummary() const {
  return std::make_unique<PurgeSummary>(&ReadOfStream);
}

}  // namespace lapse::engine
