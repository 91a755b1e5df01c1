// Removes tables so that nobody waits for it.
//
// What it costs to remove a file depends on the file system. One that tells the disk of each block it frees (mounted
// with `discard`) keeps the disk for some 15 ms for a table of 64 MB, in which no log can be synced. So large tables
// are shortened piece by piece in a thread of their own, with a rest after each piece that is as long as the piece
// took. Where space is wanted soon, some are removed at once, within an allowance of time.
#pragma once

#include <cstdint>
#include <memory>

#include "store/rocks/reclaim/removal_pace.h"

namespace rocksdb {
class FileSystem;
class SystemClock;
}  // namespace rocksdb

namespace lapse::store {

// Threads: any. Owns: its thread.
class TableRemoval {
 public:
  // With less than `free_bytes_min` on the disk nothing rests: room is worth more than latency then.
  static std::unique_ptr<TableRemoval> New(const std::shared_ptr<rocksdb::FileSystem>& files,
                                           std::shared_ptr<rocksdb::SystemClock> clock, RemovalPace pace,
                                           uint64_t free_bytes_min);
  virtual ~TableRemoval() = default;

  // The files that were given, but for the removal of tables. A table whose removal was asked for is there for a while
  // yet; until then, what is on the disk is what its size says.
  virtual std::shared_ptr<rocksdb::FileSystem> files() = 0;

  // Returns when all that was asked for is removed. Nothing rests from now on.
  virtual void Finish() = 0;

  // While there is one, what this thread asks for is removed at once, within the allowance.
  class Prompt {
   public:
    Prompt();
    ~Prompt();
    Prompt(const Prompt&) = delete;
    Prompt& operator=(const Prompt&) = delete;
  };
};

}  // namespace lapse::store
