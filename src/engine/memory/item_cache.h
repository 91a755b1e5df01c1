// Hot items, decoded: takes back the second look-up that a point read of head and body costs, and most of what a query
// pays for an item that an index leads to.
//
// The cache never shows a version that the store has already replaced: while a commit is under way the items it writes
// are out of the cache, and what was read of them before it ended cannot come in. Other items are not concerned.
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

#include "engine/memory/recently_seen.h"
#include "engine/records/items/item_records.h"

namespace lapse::engine {

struct CachedItem {
  std::string head_key;
  HeadRecord head;
  Lsn lsn = 0;
  std::string document;
};

// What the item shows of it.
ItemMeta MetaOf(const CachedItem& item);

// Threads: any. Owns: the items, shared with their readers.
class ItemCache {
 public:
  explicit ItemCache(size_t bytes_max);
  ~ItemCache();

  // Somebody who did not find an item and reads it from the store. Must not outlive the cache. Threads: one.
  class Load {
   public:
    Load() = default;
    ~Load();
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

    // Brings in what was read. Does nothing when a commit of the item came in between.
    void Insert(std::shared_ptr<const CachedItem> item);

   private:
    friend class ItemCache;
    ItemCache* cache_ = nullptr;  // null: nothing may come in
    std::string key_;
    uint64_t commits_ = 0;  // of the item, when the load began
  };

  // Null when it is not there; then `load`, a new one, is for the caller to use.
  std::shared_ptr<const CachedItem> Find(std::string_view head_key, Load* load);
  // The same for those who bring nothing in: what they look at gets no hotter.
  std::shared_ptr<const CachedItem> Peek(std::string_view head_key);
  std::shared_ptr<const CachedItem> Peek(ContainerId container, ItemNumber number);
  bool Contains(std::string_view head_key) { return Peek(head_key) != nullptr; }
  // Whether an item that a query read is worth its place: it was read not long before.
  bool IsWanted(ContainerId container, ItemNumber number) { return seen_.See(NumberHash()({container, number})); }

  // Around a commit: these keys are out of the cache from one call to the other.
  void BeginCommit(const std::vector<std::string>& head_keys);
  void EndCommit(const std::vector<std::string>& head_keys);

 private:
  using Order = std::list<std::shared_ptr<const CachedItem>>;  // most recently used first

  // An item that is being read or written. It is known only for as long as somebody is at it.
  struct Traffic {
    int loads = 0;
    int commits_under_way = 0;
    uint64_t commits = 0;  // begun since it is known
  };

  // A part of the cache with its own lock, so that threads rarely meet.
  struct Slice {
    std::mutex mutex;
    Order order;
    std::unordered_map<std::string_view, Order::iterator> index;  // keys are those of the items
    std::unordered_map<std::string, Traffic> traffic;
    size_t bytes = 0;
  };

  struct Number {
    ContainerId container;
    ItemNumber item;

    bool operator==(const Number&) const = default;
  };
  struct NumberHash {
    using is_avalanching = void;  // its bits are spread: the map need not do that again
    size_t operator()(const Number& number) const;
  };
  struct NumberSlice;

  static constexpr size_t kSlices = 64;

  static Number NumberOf(const CachedItem& item);
  Slice& SliceOf(std::string_view head_key);
  NumberSlice& SliceOf(const Number& number);
  void Insert(Load* load, std::shared_ptr<const CachedItem> item);
  void End(const Load& load);
  static void EndTraffic(Slice& slice, const std::string& head_key, int Traffic::*what);
  void Erase(Slice& slice, std::string_view head_key);
  void EraseEntry(Slice& slice, Order::iterator entry);

  const size_t slice_bytes_max_;
  std::array<Slice, kSlices> slices_;
  const std::unique_ptr<NumberSlice[]> number_slices_;  // kSlices of them
  RecentlySeen seen_;
};

}  // namespace lapse::engine
