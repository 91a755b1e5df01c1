#include "engine/expiry/purge_filter.h"

#include <mutex>

#include "base/bytes.h"
#include "engine/records.h"

namespace lapse::engine {
namespace {

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

// A record that cannot be read is kept: whoever reads it will report it.
bool PurgeFilter::Heads::MayDrop(std::string_view key, std::string_view value) const {
  HeadRecord head;
  if (!DecodeHead(value, &head).ok()) return false;
  ByteReader reader(key);
  const ContainerId container = reader.BigEndian<ContainerId>();
  return reader.ok() && filter_->IsPurged(container, head.stream, head.lifetime);
}

bool PurgeFilter::Streams::MayDrop(std::string_view key, std::string_view value) const {
  ttl::Lifetime lifetime;
  if (!TakeRecordFront(&value, &lifetime)) return false;
  ByteReader reader(key);
  const ContainerId container = reader.BigEndian<ContainerId>();
  const uint32_t stream = reader.BigEndian<uint32_t>();
  return reader.ok() && filter_->IsPurged(container, stream, lifetime);
}

}  // namespace lapse::engine
