#include "engine/items/item_cache.h"

#include <functional>
#include <utility>

namespace lapse::engine {
namespace {

// List node, index node, shared block and header: what an item costs beyond its own bytes.
constexpr size_t kEntryOverhead_bytes = 256;

size_t CostOf(std::string_view key, const CachedItem& item) {
  return key.size() + item.document.capacity() + kEntryOverhead_bytes;
}

}  // namespace

ItemCache::ItemCache(size_t bytes_max) : slice_bytes_max_(bytes_max / kSlices) {}

ItemCache::Slice& ItemCache::SliceOf(std::string_view head_key) {
  // The index inside a slice uses the low bits of the same hash: take other ones.
  return slices_[std::hash<std::string_view>()(head_key) >> 32 & (kSlices - 1)];
}

std::shared_ptr<const CachedItem> ItemCache::Find(std::string_view head_key, uint64_t* ticket) {
  Slice& slice = SliceOf(head_key);
  std::lock_guard lock(slice.mutex);
  auto found = slice.index.find(head_key);
  if (found == slice.index.end()) {
    *ticket = slice.changes;
    return nullptr;
  }
  slice.order.splice(slice.order.begin(), slice.order, found->second);
  return found->second->item;
}

void ItemCache::Insert(std::string_view head_key, uint64_t ticket, std::shared_ptr<const CachedItem> item) {
  size_t cost = CostOf(head_key, *item);
  if (cost > slice_bytes_max_ / 4) return;  // one large item must not empty a slice
  Slice& slice = SliceOf(head_key);
  std::lock_guard lock(slice.mutex);
  if (slice.changes != ticket || slice.commits_under_way > 0 || slice.index.contains(head_key)) return;
  slice.order.push_front({std::string(head_key), std::move(item)});
  slice.index.emplace(slice.order.front().key, slice.order.begin());
  slice.bytes += cost;
  while (slice.bytes > slice_bytes_max_) EraseEntry(slice, std::prev(slice.order.end()));
}

void ItemCache::BeginCommit(const std::vector<std::string>& head_keys) {
  for (const std::string& key : head_keys) {
    Slice& slice = SliceOf(key);
    std::lock_guard lock(slice.mutex);
    ++slice.changes;
    ++slice.commits_under_way;
    Erase(slice, key);
  }
}

void ItemCache::EndCommit(const std::vector<std::string>& head_keys) {
  for (const std::string& key : head_keys) {
    Slice& slice = SliceOf(key);
    std::lock_guard lock(slice.mutex);
    ++slice.changes;
    --slice.commits_under_way;
  }
}

void ItemCache::Erase(Slice& slice, std::string_view head_key) {
  auto found = slice.index.find(head_key);
  if (found != slice.index.end()) EraseEntry(slice, found->second);
}

void ItemCache::EraseEntry(Slice& slice, Order::iterator entry) {
  slice.bytes -= CostOf(entry->key, *entry->item);
  slice.index.erase(entry->key);
  slice.order.erase(entry);
}

}  // namespace lapse::engine
