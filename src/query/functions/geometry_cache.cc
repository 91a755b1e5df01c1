#include "query/functions/geometry_cache.h"

namespace lapse::query {

const PreparedGeometry* GeometryCache::Get(Value value, Arena* arena, PreparedGeometry* own) {
  const std::string_view bytes = value.IsObject() ? value.AsDocument() : std::string_view();
  if (bytes.size() < kKeptBytesMin || bytes.size() > kKeptBytesMax) {
    return PrepareGeometry(value, arena, own) ? own : nullptr;
  }
  ++calls_;
  for (Entry& entry : entries_) {
    if (entry.bytes != bytes) continue;
    // Update the address: the other argument of this call may be at the old one, and must not take over the entry.
    entry.seen = bytes.data();
    entry.last_use = calls_;
    ++hits_;
    return &entry.geometry;
  }
  for (Entry& entry : entries_) {
    if (entry.seen != bytes.data()) continue;
    entry.last_use = calls_;
    if (Keep(value, &entry)) return &entry.geometry;
    return PrepareGeometry(value, arena, own) ? own : nullptr;
  }
  // Replaces the other entry, since the one that was found last is the constant of the query.
  Entry& oldest = entries_[0].last_use <= entries_[1].last_use ? entries_[0] : entries_[1];
  oldest = Entry();
  oldest.seen = bytes.data();
  oldest.last_use = calls_;
  return PrepareGeometry(value, arena, own) ? own : nullptr;
}

bool GeometryCache::Keep(Value value, Entry* entry) {
  entry->bytes.clear();
  entry->arena = std::make_unique<Arena>(kPreparedBytesMax);
  if (!PrepareGeometry(value, entry->arena.get(), &entry->geometry)) return false;
  entry->bytes = value.AsDocument();
  return true;
}

}  // namespace lapse::query
