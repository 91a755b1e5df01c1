// One family of an in-memory shard: each key with its versions, newest last.
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

// Identifies the commit that wrote a version. A reader at n sees the newest version of each key up to n.
using Sequence = uint64_t;

// Null: the key was deleted.
using SharedValue = std::shared_ptr<const std::string>;

// Threads: readers together, a writer alone; the caller locks.
class VersionMap {
 public:
  struct Found {
    const std::string* key = nullptr;  // null: not found
    SharedValue value;
  };

  // `sequence` must be at least that of every earlier call. Removes versions that no reader at `oldest_reader` or later
  // can see.
  void Put(std::string_view key, SharedValue value, Sequence sequence, Sequence oldest_reader);
  void DeleteRange(std::string_view begin, std::string_view end, Sequence sequence, Sequence oldest_reader);

  // Removes versions that were kept only for readers that have ended since.
  void TrimStale(Sequence oldest_reader);

  SharedValue Get(std::string_view key, Sequence reader) const;
  // Returns the first visible key at (if `inclusive`) or after `key`, and before `upper` (empty: no end).
  Found Forward(std::string_view key, bool inclusive, std::string_view upper, Sequence reader) const;
  // Returns the last visible key at (if `inclusive`) or before `key` (null: from the end), and not before `lower`.
  Found Backward(const std::string_view* key, bool inclusive, std::string_view lower, Sequence reader) const;

  // Calls `drop(key, newest value)` for every live key of [begin, end) (empty: no bound) and deletes those it accepts.
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
  // Returns the iterator after `at`, which is erased if none of its versions is visible any more.
  Map::iterator Trim(Map::iterator at, Sequence oldest_reader);

  Map map_;
  // Keys with versions kept only for old readers, and the oldest reader at the time they were noted.
  std::vector<std::string> stale_;
  Sequence stale_since_ = 0;
};

}  // namespace lapse::store
