// In-memory lists of the items that have a value at a path, for values that queries repeatedly ask for. With them a
// query that combines two values finds its few items without walking thousands of entries (docs/design/index.md).
//
// A list has every item with an entry for its value. It may have extra items, since an item stays in it after its entry
// is deleted. So a list provides candidates, and the document decides.
//
// A list is built in two steps. The first page that walks a long run of equal values has the value *watched*, and from
// then on commits note what they put there. The second step is for a page that began after all commits in flight at
// that time had ended: what it finds, together with the notes, becomes the list. Pages that begin after that may use
// it.
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

// The memory budget shared by the lists of all partitions. Threads: any.
class KnownListsMemory {
 public:
  // Shorter lists are not kept, because walking a few entries is as fast as a look-up here.
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

// The lists of one partition. A *place* is the key of an entry without its creation: index, partition, path and value.
// Threads: any; commits one at a time.
class KnownLists {
 public:
  using Numbers = std::vector<ItemNumber>;

  static constexpr size_t kPlacesMax = 1024;
  // A list with more changes than this is rebuilt.
  static constexpr size_t kNotedMax = 4096;
  // A list is rebuilt after this time. Until then, expired items stay in it.
  static constexpr int64_t kKept_ns = 300'000'000'000;

  // Both must outlive the lists.
  KnownLists(KnownListsMemory* memory, const SteadyClock* steady) : memory_(memory), steady_(steady) {}
  ~KnownLists();
  KnownLists(const KnownLists&) = delete;
  KnownLists& operator=(const KnownLists&) = delete;

  // --- Commits.
  // Calls `take` with each key of the family `index` that the batch puts.
  using Keys = std::function<void(const std::function<void(std::string_view key)>& take)>;

  // Must live for as long as a batch is being written. Notes what the batch puts, if anything is watched.
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
  // Returns true if any place is watched. Otherwise no list exists.
  bool watches() const { return watches_.load() > 0; }
  // Identifies when a page began. Taken before the page's snapshot.
  struct Start {
    uint64_t ended = 0;    // commits that had ended
    uint64_t version = 0;  // lists that had been built
  };
  Start Begin() const { return {ended_.load(), version_.load()}; }
  // Returns the list in ascending order without duplicates, or null if a page that began at `start` may not use one.
  std::shared_ptr<const Numbers> Find(std::string_view place, const Start& start);
  // Returns true if this many items are enough for a list.
  bool IsWorthAList(size_t items) const { return items >= memory_->items_min(); }
  // Offers what a page found at this place in its snapshot, ascending and without duplicates.
  void Offer(std::string_view place, const Start& start, const Numbers& found);

 private:
  struct List {
    uint64_t watched_since = 0;            // number of the last commit begun before the watch
    std::shared_ptr<const Numbers> items;  // null: watched, but no list yet
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
  // These require mutex_.
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
