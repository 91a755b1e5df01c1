// Walks the entries of one path in the order of their values, at a snapshot.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/partition/index/entry_walk.h"
#include "engine/partition/learned/dead_runs.h"
#include "engine/records/ids/ids.h"
#include "engine/records/index/index_key.h"
#include "engine/records/index/path_number.h"
#include "store/shard.h"

namespace lapse::engine {

// The part of a path to walk. Bounds are bytes as PutIndexValue makes them.
struct IndexRange {
  enum class Direction : uint8_t { kForward, kBackward };

  PathNumber path = kRootPath;
  std::string lower;  // inclusive; empty: from the first value
  std::string upper;  // exclusive; empty: to the last value
  Direction direction = Direction::kForward;
  bool any_order = false;  // entries with equal values may come in any order
  bool one_value = false;  // every entry in the range, now and later, has the value `lower`
};

// Returns about how many bytes the entries take; see Shard::ApproximateBytes.
uint64_t ApproximateBytes(store::Shard* shard, IndexId index, PartitionNumber partition, const IndexRange& range);

// Runs that a walk skips.
struct PassedRuns {
  std::vector<DeadRun> runs;  // in key order
  DeadRuns* told = nullptr;   // notified when one is skipped; may be null
};

// An entry does not tell whether its item is live: see IndexReader.
class IndexWalk final : public EntryWalk {
 public:
  IndexWalk(store::Shard* shard, const store::Snapshot& snapshot, IndexId index, PartitionNumber partition,
            const IndexRange& range, PassedRuns passed = {});

  bool Valid() const override { return valid_; }
  void Next() override;
  ItemNumber item() const override { return entry_.item; }
  std::string_view value() const override { return entry_.value; }
  // The whole key, as it is stored. Valid until the next move.
  std::string_view key() const { return entries_->key(); }
  // Fails: kCorruption for an entry that cannot be read.
  const Status& status() const override { return status_; }

 private:
  void Read();
  // Returns the run that the entry is in, or null.
  const DeadRun* RunHere();
  void GoPast(const DeadRun& run);

  const IndexRange::Direction direction_;
  std::unique_ptr<store::Iterator> entries_;
  const PassedRuns passed_;
  size_t runs_left_;  // not yet passed: the last ones, or backward the first
  IndexKeyParts entry_;
  bool valid_ = false;
  Status status_;
};

}  // namespace lapse::engine
