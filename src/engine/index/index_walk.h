// Walks the entries of one path in the order of their values, at a snapshot.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/ids.h"
#include "engine/index/index_key.h"
#include "engine/index/path_number.h"
#include "store/shard.h"

namespace lapse::engine {

// What of a path is walked. Bounds are bytes as PutIndexValue makes them.
struct IndexRange {
  enum class Direction : uint8_t { kForward, kBackward };

  PathNumber path = kRootPath;
  std::string lower;  // inclusive; empty: from the first value
  std::string upper;  // exclusive; empty: to the last value
  Direction direction = Direction::kForward;
  std::string after;  // the position of an entry that an earlier walk of this range had; empty: from the start
};

// An entry says nothing of whether its item lives: see IndexReader. Threads: one. Must not outlive the snapshot.
class IndexWalk {
 public:
  IndexWalk(store::Shard* shard, const store::Snapshot& snapshot, IndexId index, PartitionNumber partition,
            const IndexRange& range);

  bool Valid() const { return valid_; }
  void Next();
  ItemNumber item() const { return entry_.item; }
  // See TakeIndexValue. Valid until the next move.
  std::string_view value() const { return entry_.value; }
  // Where it is, for a later walk. Stays the same across restarts.
  std::string_view position() const;
  // Not ok: the walk failed. kCorruption for an entry that cannot be read.
  const Status& status() const { return status_; }

 private:
  void Read();

  const IndexRange::Direction direction_;
  std::unique_ptr<store::Iterator> entries_;
  IndexKeyParts entry_;
  bool valid_ = false;
  Status status_;
};

}  // namespace lapse::engine
