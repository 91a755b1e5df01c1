// Gives the space of what is gone back, of purged items above all: whole files where that is possible, the files with
// the most dead records first where it is not, and the log once it holds more than it should (docs/design/expiry.md).
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
  // Returns when nothing is under way and nothing will be.
  void Stop();

  // Something was purged here. Bodies of inheriting items below the sequence are all dead.
  void Note(PartitionId partition, Sequence bodies_dead_below);
  // Containers were dropped.
  void NoteDropped();
  // So many bytes of documents were replaced or deleted.
  void NoteReplaced(uint64_t bytes);

  // Drops the files that were noted, then what is wholly dead, or compacts one file; when there is none, empties a log
  // that is too large. Answers whether there may be more. Tests call it instead of Start.
  bool RunTurn();
  // The same when nothing was purged or replaced for a while: then a small log is too large, and less that was replaced
  // is worth a compaction. There may be more later, too.
  bool RunQuietTurn();

 private:
  struct Worth;

  void Turn(const Worth& worth);
  void DropBodies(PartitionId partition, Sequence below);
  store::Reclaimed ReclaimTables(const Worth& worth);
  bool Flush(const Worth& worth);  // whether it did
  // Called with mutex_ held.
  bool Settled() const { return settled_purges_ == purges_ && settled_replaces_ == replaces_; }
  void Loop();

  store::Shard* const shard_;
  MemberMarker* const marker_;
  std::atomic<uint64_t> replaced_bytes_{0};  // since the last flush
  std::mutex mutex_;
  std::condition_variable wake_;
  std::map<PartitionId, Sequence> dead_below_;  // guarded by mutex_: noted and not yet dropped
  // guarded by mutex_: something may have gone since all was looked at. What went before the start may be there still.
  bool purged_ = true;
  uint64_t purges_ = 0;            // guarded by mutex_
  uint64_t settled_purges_ = 0;    // guarded by mutex_: of these nothing is left that is worth to be looked at again
  uint64_t replaces_ = 0;          // guarded by mutex_: counts megabytes
  uint64_t settled_replaces_ = 0;  // guarded by mutex_
  bool much_replaced_ = false;     // guarded by mutex_: and flushed, but not yet compacted
  bool stop_ = false;              // guarded by mutex_
  std::thread thread_;
};

}  // namespace lapse::engine
