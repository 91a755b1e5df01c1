// Reclaims the space of dead records, mainly of purged items. Drops whole files where possible, otherwise compacts the
// files with the most dead records first, and empties the log when it has grown too large (docs/design/expiry.md).
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "engine/records/ids/ids.h"
#include "store/shard.h"

namespace lapse::engine {

class MemberMarker;

// Threads: any. Owns: its thread.
class Reclaimer {
 public:
  // The marker may be null.
  Reclaimer(store::Shard* shard, MemberMarker* marker) : shard_(shard), marker_(marker) {}
  ~Reclaimer();

  void Start();
  // Returns when nothing is under way and nothing more will start.
  void Stop();

  // Notes a purge in the partition. Bodies of inheriting items below the sequence are all dead.
  void Note(PartitionId partition, Sequence bodies_dead_below);
  // Notes that containers were dropped.
  void NoteDropped();
  // Counts bytes of documents that were replaced or deleted.
  void NoteReplaced(uint64_t bytes);

  // Drops the noted files, then files that are wholly dead, or compacts one file. If there is none, empties a log that
  // is too large. Returns whether there may be more to do. Tests call it instead of Start.
  bool RunTurn();
  // Like RunTurn, for a time without purges or replaces: a smaller log counts as too large, and fewer replaced bytes
  // are worth a compaction. Returns whether there may be more to do.
  bool RunQuietTurn();

 private:
  struct Worth;

  void Turn(const Worth& worth);
  void DropBodies(PartitionId partition, Sequence below);
  store::Reclaimed ReclaimTables(const Worth& worth);
  bool Flush(const Worth& worth);  // returns whether it flushed
  // Called with mutex_ held.
  bool Settled() const { return settled_purges_ == purges_ && settled_replaces_ == replaces_; }
  void Loop();

  store::Shard* const shard_;
  MemberMarker* const marker_;
  std::atomic<uint64_t> replaced_bytes_{0};  // since the last flush
  std::mutex mutex_;
  std::condition_variable wake_;
  std::map<PartitionId, Sequence> dead_below_;  // guarded by mutex_: noted and not dropped yet
  // Guarded by mutex_: records may have died since the last full look. True at first, for those that died before the
  // start.
  bool purged_ = true;
  uint64_t purges_ = 0;            // guarded by mutex_
  uint64_t settled_purges_ = 0;    // guarded by mutex_: the purges up to this one need no further look
  uint64_t replaces_ = 0;          // guarded by mutex_: counts in megabytes
  uint64_t settled_replaces_ = 0;  // guarded by mutex_
  bool much_replaced_ = false;     // guarded by mutex_: flushed, but not compacted yet
  bool stop_ = false;              // guarded by mutex_
  std::thread thread_;
};

}  // namespace lapse::engine
