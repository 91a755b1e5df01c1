// One family of a shard in memory: each key with its versions, newest last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lapse::store {

// The commit that wrote a version. A reader at n sees, of each key, the newest version that is not after n.
using Sequence = uint64_t;

// Null: the key was deleted.
using SharedValue = std::shared_ptr<const std::string>;

// Threads: readers together, a writer alone; the caller locks.
class VersionMap {
 public:
  struct Found {
    const std::string* key = nullptr;  // null: nothing found
    SharedValue value;
  };

  // `sequence` is at least that of every earlier call. Versions that no reader at `oldest_reader` or later can see are
  // let go.
  void Put(std::string_view key, SharedValue value, Sequence sequence, Sequence oldest_reader);
  void DeleteRange(std::string_view begin, std::string_view end, Sequence sequence, Sequence oldest_reader);

  // Lets go of what was kept for readers that have gone since.
  void TrimStale(Sequence oldest_reader);

  SharedValue Get(std::string_view key, Sequence reader) const;
  // The first visible key at or after `key` (`inclusive`) or after it, and before `upper` (empty: no end).
  Found Forward(std::string_view key, bool inclusive, std::string_view upper, Sequence reader) const;
  // The last visible key at or before `key` (`inclusive`) or before it, and not before `lower`. Null: from the end.
  Found Backward(const std::string_view* key, bool inclusive, std::string_view lower, Sequence reader) const;

  // Asks `drop(key, newest value)` about every living key of [begin, end) (empty: no bound) and buries those it names.
  // Older versions stay for the readers that see them.
  using Drop = std::function<bool(std::string_view key, std::string_view value)>;
  void DropIf(std::string_view begin, std::string_view end, Sequence oldest_reader, const Drop& drop);

  size_t key_and_value_bytes() const;

 private:
  struct Version {
    Sequence sequence;
    SharedValue value;
  };
  using Versions = std::vector<Version>;
  using Map = std::map<std::string, Versions, std::less<>>;

  static SharedValue Visible(const Versions& versions, Sequence reader);
  static void Set(Versions* versions, SharedValue value, Sequence sequence);
  // Returns the iterator after `at`, which is erased when nothing of it can be seen any more.
  Map::iterator Trim(Map::iterator at, Sequence oldest_reader);

  Map map_;
  // Keys with versions that are kept for old readers only, and the reader that was the oldest when they were noted.
  std::vector<std::string> stale_;
  Sequence stale_since_ = 0;
};

}  // namespace lapse::store
