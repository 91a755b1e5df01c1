// Caches hot items, decoded. This saves a point read its second look-up (of head and body), and a query most of its
// cost for an item found by an index.
//
// The cache never shows a version that the store has already replaced. During a commit, the items that it writes are
// kept out of the cache, and a load that began before the commit ended cannot insert them. Other items are not
// affected.
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

// Returns the item's metadata.
ItemMeta MetaOf(const CachedItem& item);

// Threads: any. Owns: the items, shared with their readers.
class ItemCache {
 public:
  explicit ItemCache(size_t bytes_max);
  ~ItemCache();

  // A reader that missed an item and loads it from the store. Must not outlive the cache. Threads: one.
  class Load {
   public:
    Load() = default;
    ~Load();
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

    // Inserts the loaded item. Does nothing if the item was committed since the load began.
    void Insert(std::shared_ptr<const CachedItem> item);

   private:
    friend class ItemCache;
    ItemCache* cache_ = nullptr;  // null: nothing may be inserted
    std::string key_;
    uint64_t commits_ = 0;  // commits of the item when the load began
  };

  // Returns null if the item is not cached. The caller may then use `load`, which must be new.
  std::shared_ptr<const CachedItem> Find(std::string_view head_key, Load* load);
  // The same for callers that will not insert. An item does not become hotter by this.
  std::shared_ptr<const CachedItem> Peek(std::string_view head_key);
  std::shared_ptr<const CachedItem> Peek(ContainerId container, ItemNumber number);
  bool Contains(std::string_view head_key) { return Peek(head_key) != nullptr; }
  // Returns true if an item that a query read is worth caching: it was also read recently.
  bool IsWanted(ContainerId container, ItemNumber number) { return seen_.See(NumberHash()({container, number})); }

  // Bracket a commit: these keys are out of the cache between the two calls.
  void BeginCommit(const std::vector<std::string>& head_keys);
  void EndCommit(const std::vector<std::string>& head_keys);

 private:
  using Order = std::list<std::shared_ptr<const CachedItem>>;  // most recently used first

  // Tracks an item that is being loaded or committed. Exists only while it is.
  struct Traffic {
    int loads = 0;
    int commits_under_way = 0;
    uint64_t commits = 0;  // commits begun since tracking began
  };

  // A part of the cache with its own lock, to reduce contention.
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
    using is_avalanching = void;  // the hash is already mixed, so the map need not mix it again
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
