// How large the logical partitions are that may come near the limit of their size
// (docs/design/logical-partition-size.md).
//
// While a partition holds less than the limit, no key in it can hold more, and nothing is done. Above that, keys that
// are written to are counted: their heads are walked, a bounded number before each commit. What is committed later is
// added and taken off. Only what is purged is not, so a size may be too large until it is counted again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "engine/records/partitions/partition_tally.h"
#include "store/shard.h"

namespace lapse::engine {

// Keys are named by what their head keys begin with (LogicalPrefixOf). Threads: one; the partition's leader owns it.
class KeySizes {
 public:
  // 0: there is no limit.
  explicit KeySizes(int64_t bytes_max) : bytes_max_(bytes_max) {}

  // Whether a key of a partition that stores so much can come to the limit with the next commit, or soon.
  bool Concerns(int64_t stored_bytes) const;

  // --- Before a commit.
  // It will bring so many bytes to the key. Not every key is taken up at its first write: the more bytes, the likelier.
  void Expect(std::string_view prefix, size_t bytes, const PartitionTally& tally);
  // Counts on in those that were expected, over what the store holds now.
  void CountExpected(store::Shard* shard, const PartitionTally& tally);

  // --- In a commit.
  // Whether the key may hold so many bytes more than before the commit. Also when its size is not known. Fails:
  // kPartitionKeyFull.
  Status CheckGrowth(std::string_view prefix, int64_t grown_bytes) const;

  // --- After a commit.
  bool empty() const { return sizes_.empty(); }
  // The item under this head key has become larger by so many bytes, or smaller.
  void Note(std::string_view head_key, int64_t grown_bytes);
  // The key was deleted as a whole.
  void Forget(std::string_view prefix);
  // Nobody knows what was committed.
  void Clear() { sizes_.clear(); }

 private:
  // A count that is under way. It has the heads up to `after`.
  struct Walk {
    int64_t bytes = 0;
    std::string after;
    int64_t purged_bytes = 0;  // of the partition, when it began
  };
  struct Size {
    std::optional<int64_t> bytes;  // at the most; nullopt: not counted yet
    int64_t purged_bytes = 0;      // of the partition, when that count began
    std::optional<Walk> walk;
    // By the next commit.
    size_t expected_bytes = 0;
    int heads_due = 0;
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  bool Chosen(size_t bytes);
  void MakeRoom();
  static Status Advance(std::string_view prefix, int heads_max, store::Shard* shard, const PartitionTally& tally,
                        Size* size);

  const int64_t bytes_max_;
  std::unordered_map<std::string, Size, Hash, std::equal_to<>> sizes_;
  std::vector<std::string> expected_;  // keys of sizes_
  uint64_t random_ = 0;
};

}  // namespace lapse::engine
