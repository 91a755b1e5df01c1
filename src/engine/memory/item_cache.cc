#include "engine/memory/item_cache.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <functional>
#include <utility>

#include "base/bytes.h"

namespace lapse::engine {
namespace {

// Overhead per item: list node, index node, map slot, shared block and header.
constexpr size_t kEntryOverhead_bytes = 320;

size_t CostOf(const CachedItem& item) {
  return item.head_key.capacity() + item.document.capacity() + kEntryOverhead_bytes;
}

}  // namespace

ItemMeta MetaOf(const CachedItem& item) {
  return {.version = VersionOf(item.head.lifetime), .lsn = item.lsn, .number = item.head.number};
}

// The same items by number. The map has no nodes, because each would cost a cache miss before the item. Lock order: a
// slice before its number slice, never the reverse.
struct ItemCache::NumberSlice {
  std::mutex mutex;
  boost::unordered_flat_map<Number, std::shared_ptr<const CachedItem>, NumberHash> items;
};

ItemCache::ItemCache(size_t bytes_max)
    : slice_bytes_max_(bytes_max / kSlices), number_slices_(std::make_unique<NumberSlice[]>(kSlices)) {}

ItemCache::~ItemCache() = default;

// Item numbers are consecutive, so they are mixed.
size_t ItemCache::NumberHash::operator()(const Number& number) const {
  constexpr uint64_t kSpread = 0x9E3779B97F4A7C15;
  const uint64_t spread = (number.item ^ uint64_t{number.container} << 32) * kSpread;
  return spread ^ spread >> 32;
}

ItemCache::Number ItemCache::NumberOf(const CachedItem& item) {
  return {ByteReader(item.head_key).BigEndian<ContainerId>(), item.head.number};
}

ItemCache::NumberSlice& ItemCache::SliceOf(const Number& number) {
  // The map inside a slice uses the highest and the lowest bits of the same hash, so take other bits.
  return number_slices_[NumberHash()(number) >> 16 & (kSlices - 1)];
}

ItemCache::Slice& ItemCache::SliceOf(std::string_view head_key) {
  // The index inside a slice uses the low bits of the same hash, so take other bits.
  return slices_[std::hash<std::string_view>()(head_key) >> 32 & (kSlices - 1)];
}

std::shared_ptr<const CachedItem> ItemCache::Find(std::string_view head_key, Load* load) {
  Slice& slice = SliceOf(head_key);
  std::lock_guard lock(slice.mutex);
  auto found = slice.index.find(head_key);
  if (found != slice.index.end()) {
    slice.order.splice(slice.order.begin(), slice.order, found->second);
    return *found->second;
  }
  load->key_ = head_key;
  // A read during the commit may return the old version or the new one.
  const auto writing = slice.traffic.find(load->key_);
  if (writing != slice.traffic.end() && writing->second.commits_under_way > 0) return nullptr;
  Traffic& traffic = slice.traffic[load->key_];
  ++traffic.loads;
  load->commits_ = traffic.commits;
  load->cache_ = this;
  return nullptr;
}

std::shared_ptr<const CachedItem> ItemCache::Peek(std::string_view head_key) {
  Slice& slice = SliceOf(head_key);
  std::lock_guard lock(slice.mutex);
  auto found = slice.index.find(head_key);
  return found == slice.index.end() ? nullptr : *found->second;
}

std::shared_ptr<const CachedItem> ItemCache::Peek(ContainerId container, ItemNumber number) {
  const Number wanted{container, number};
  NumberSlice& slice = SliceOf(wanted);
  std::lock_guard lock(slice.mutex);
  const auto found = slice.items.find(wanted);
  return found == slice.items.end() ? nullptr : found->second;
}

ItemCache::Load::~Load() {
  if (cache_ != nullptr) cache_->End(*this);
}

void ItemCache::Load::Insert(std::shared_ptr<const CachedItem> item) {
  if (cache_ != nullptr) cache_->Insert(this, std::move(item));
}

void ItemCache::Insert(Load* load, std::shared_ptr<const CachedItem> item) {
  size_t cost = CostOf(*item);
  if (cost > slice_bytes_max_ / 4) return;  // one large item must not empty a slice
  Slice& slice = SliceOf(load->key_);
  std::lock_guard lock(slice.mutex);
  if (slice.traffic.at(load->key_).commits != load->commits_ || slice.index.contains(load->key_)) return;
  slice.order.push_front(item);
  slice.index.emplace(item->head_key, slice.order.begin());
  slice.bytes += cost;
  {
    const Number number = NumberOf(*item);
    NumberSlice& by_number = SliceOf(number);
    std::lock_guard number_lock(by_number.mutex);
    by_number.items[number] = std::move(item);
  }
  while (slice.bytes > slice_bytes_max_) EraseEntry(slice, std::prev(slice.order.end()));
}

void ItemCache::End(const Load& load) {
  Slice& slice = SliceOf(load.key_);
  std::lock_guard lock(slice.mutex);
  EndTraffic(slice, load.key_, &Traffic::loads);
}

void ItemCache::BeginCommit(const std::vector<std::string>& head_keys) {
  for (const std::string& key : head_keys) {
    Slice& slice = SliceOf(key);
    std::lock_guard lock(slice.mutex);
    Traffic& traffic = slice.traffic[key];
    ++traffic.commits;
    ++traffic.commits_under_way;
    Erase(slice, key);
  }
}

void ItemCache::EndCommit(const std::vector<std::string>& head_keys) {
  for (const std::string& key : head_keys) {
    Slice& slice = SliceOf(key);
    std::lock_guard lock(slice.mutex);
    EndTraffic(slice, key, &Traffic::commits_under_way);
  }
}

void ItemCache::EndTraffic(Slice& slice, const std::string& head_key, int Traffic::*what) {
  auto found = slice.traffic.find(head_key);
  --(found->second.*what);
  if (found->second.loads == 0 && found->second.commits_under_way == 0) slice.traffic.erase(found);
}

void ItemCache::Erase(Slice& slice, std::string_view head_key) {
  auto found = slice.index.find(head_key);
  if (found != slice.index.end()) EraseEntry(slice, found->second);
}

void ItemCache::EraseEntry(Slice& slice, Order::iterator entry) {
  const std::shared_ptr<const CachedItem> item = *entry;
  const Number number = NumberOf(*item);
  {
    NumberSlice& by_number = SliceOf(number);
    std::lock_guard number_lock(by_number.mutex);
    by_number.items.erase(number);
  }
  slice.bytes -= CostOf(*item);
  slice.index.erase(item->head_key);
  slice.order.erase(entry);
}

}  // namespace lapse::engine
