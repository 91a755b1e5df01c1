// Sizes of the logical partitions that may be near the size limit (docs/design/logical-partition-size.md).
//
// A partition that holds less than the limit cannot have a key above it, so nothing is tracked. Above the limit, the
// keys that are written to are counted: a bounded number of their heads is walked before each commit. Later commits
// adjust the count. Purges do not, so a size may be too large until the key is counted again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/random.h"
#include "base/status.h"
#include "engine/records/partitions/partition_tally.h"
#include "store/shard.h"

namespace lapse::engine {

// Keys are identified by the prefix of their head keys (LogicalPrefixOf). Threads: one. The partition's leader owns the
// object.
class KeySizes {
 public:
  // 0: no limit.
  explicit KeySizes(int64_t bytes_max) : bytes_max_(bytes_max) {}

  // Returns true if a key in a partition with this many stored bytes can reach the limit with the next commit, or soon.
  bool Concerns(int64_t stored_bytes) const;

  // --- Before a commit.
  // Announces that the commit will add `bytes` to the key. A key is not always tracked from its first write: the more
  // bytes, the likelier.
  void Expect(std::string_view prefix, size_t bytes, const PartitionTally& tally);
  // Advances the counts of the announced keys over what the store holds now.
  void CountExpected(store::Shard* shard, const PartitionTally& tally);

  // --- In a commit.
  // Checks that the key may grow by `grown_bytes` over its size before the commit. Returns Ok if the size is unknown.
  // Fails: kPartitionKeyFull.
  Status CheckGrowth(std::string_view prefix, int64_t grown_bytes) const;

  // --- After a commit.
  bool empty() const { return sizes_.empty(); }
  // The item under this head key has grown by `grown_bytes`, or shrunk if that is negative.
  void Note(std::string_view head_key, int64_t grown_bytes);
  // The key was deleted as a whole.
  void Forget(std::string_view prefix);
  // Forgets all keys. To be called when it is unknown what was committed.
  void Clear() { sizes_.clear(); }

 private:
  // A count in progress, which covers the heads up to `after`.
  struct Walk {
    int64_t bytes = 0;
    std::string after;
    int64_t purged_bytes = 0;  // of the partition, when the walk began
  };
  struct Size {
    std::optional<int64_t> bytes;  // upper bound; nullopt: not counted yet
    int64_t purged_bytes = 0;      // of the partition, when that count began
    std::optional<Walk> walk;
    // Due before the next commit.
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
  SplitMix64 random_{0};
};

}  // namespace lapse::engine
