// Which items have a value at a path, for values that queries ask for again and again: lists in memory, so that a query
// need not walk thousands of entries to find the few items that have two values at once (docs/design/index.md).
//
// A list has every item with an entry there. It may have others: an item whose entry has gone since stays in it. So a
// list leads to candidates, and the document decides.
//
// How a list comes to be: the first page that walks over a long run of equal values has it *watched*, and from then on
// commits note what they put there. A later page, which began when all commits had ended that were under way then,
// brings what it found: that, and what was noted, is the list. Pages that begin after that may use it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "engine/records/ids/ids.h"

namespace lapse::engine {

// What the lists of all partitions may hold together. Threads: any.
class KnownListsMemory {
 public:
  // Shorter lists are not kept: to walk over few entries takes no longer than to look them up here.
  static constexpr size_t kItemsMin = 512;

  explicit KnownListsMemory(size_t bytes_max, size_t items_min = kItemsMin)
      : bytes_max_(bytes_max), items_min_(items_min) {}
  size_t items_min() const { return items_min_; }
  bool Take(size_t bytes);
  void GiveBack(size_t bytes) { bytes_.fetch_sub(bytes, std::memory_order_relaxed); }
  size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  const size_t bytes_max_;
  const size_t items_min_;
  std::atomic<size_t> bytes_{0};
};

// Those of one partition. A *place* is the key of an entry without its creation: index, partition, path and value.
// Threads: any; commits one at a time.
class KnownLists {
 public:
  using Numbers = std::vector<ItemNumber>;

  static constexpr size_t kPlacesMax = 1024;
  // Beyond so many changes a list is made anew.
  static constexpr size_t kNotedMax = 4096;
  // A list is made anew after so long: items that have expired stay in it until then.
  static constexpr int64_t kKept_ns = 300'000'000'000;

  // Both must outlive it.
  KnownLists(KnownListsMemory* memory, const SteadyClock* steady) : memory_(memory), steady_(steady) {}
  ~KnownLists();
  KnownLists(const KnownLists&) = delete;
  KnownLists& operator=(const KnownLists&) = delete;

  // --- Commits.
  // Calls back with each key of the family `index` that is put.
  using Keys = std::function<void(const std::function<void(std::string_view key)>& take)>;

  // Around the write of a batch. Notes what is put, if anything is watched.
  class Commit {
   public:
    Commit(KnownLists* lists, const Keys& for_each_put);
    ~Commit() { lists_->ended_.store(lists_->begun_.load()); }
    Commit(const Commit&) = delete;
    Commit& operator=(const Commit&) = delete;

   private:
    KnownLists* const lists_;
  };
  // --- Pages.
  // While nothing is watched, nothing is known.
  bool watches() const { return watches_.load() > 0; }
  // What a page knows of when it began: taken before its snapshot.
  struct Start {
    uint64_t ended = 0;    // so many commits had ended
    uint64_t version = 0;  // so many lists had been made
  };
  Start Begin() const { return {ended_.load(), version_.load()}; }
  // Ascending, each once. Null: it is not known to a page that began then.
  std::shared_ptr<const Numbers> Find(std::string_view place, const Start& start);
  // Whether so many items make a list.
  bool IsWorthAList(size_t items) const { return items >= memory_->items_min(); }
  // What a page found at this place at its snapshot: ascending, each once.
  void Offer(std::string_view place, const Start& start, const Numbers& found);

 private:
  struct List {
    uint64_t watched_since = 0;            // the last commit that had begun
    std::shared_ptr<const Numbers> items;  // null: only watched
    uint64_t version = 0;
    Numbers noted;
    int64_t until_ns = 0;
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view place) const { return std::hash<std::string_view>()(place); }
  };
  using Lists = std::unordered_map<std::string, List, Hash, std::equal_to<>>;

  static size_t BytesOf(const List& list);
  // With mutex_ held.
  void NotePut(std::string_view place, ItemNumber item);
  void Forget(Lists::iterator list);
  void ForgetOld();
  void Watch(std::string_view place);

  KnownListsMemory* const memory_;
  const SteadyClock* const steady_;
  std::atomic<uint64_t> begun_{0};
  std::atomic<uint64_t> ended_{0};
  std::atomic<uint64_t> version_{0};
  std::atomic<size_t> watches_{0};  // lists_.size()
  std::mutex mutex_;
  Lists lists_;  // guarded by mutex_
};

}  // namespace lapse::engine
