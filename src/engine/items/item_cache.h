// Hot items, decoded: takes back the second look-up that a point read of head and body costs.
//
// The cache never shows a version that the store has already replaced: while a commit is under way the items it writes
// are out of the cache and cannot come in.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/items/records.h"

namespace lapse::engine {

struct CachedItem {
  HeadRecord head;
  std::string document;
};

// Threads: any. Owns: the items, shared with their readers.
class ItemCache {
 public:
  explicit ItemCache(size_t bytes_max);

  // Null when it is not there; then `*ticket` lets the caller bring in what it reads from the store.
  std::shared_ptr<const CachedItem> Find(std::string_view head_key, uint64_t* ticket);
  // Does nothing when a commit came in between.
  void Insert(std::string_view head_key, uint64_t ticket, std::shared_ptr<const CachedItem> item);

  // Around a commit: these keys are out of the cache from one call to the other.
  void BeginCommit(const std::vector<std::string>& head_keys);
  void EndCommit(const std::vector<std::string>& head_keys);

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const CachedItem> item;
  };
  using Order = std::list<Entry>;  // most recently used first

  // A part of the cache with its own lock, so that threads rarely meet.
  struct Slice {
    std::mutex mutex;
    Order order;
    std::unordered_map<std::string_view, Order::iterator> index;  // keys point into `order`
    size_t bytes = 0;
    uint64_t changes = 0;  // commits begun or ended here
    uint64_t commits_under_way = 0;
  };

  static constexpr size_t kSlices = 64;

  Slice& SliceOf(std::string_view head_key);
  static void Erase(Slice& slice, std::string_view head_key);
  static void EraseEntry(Slice& slice, Order::iterator entry);

  const size_t slice_bytes_max_;
  std::array<Slice, kSlices> slices_;
};

}  // namespace lapse::engine
