// Removes tables without delaying other work.
//
// The cost of removing a file depends on the file system. One mounted with `discard`, which tells the disk of each
// freed block, keeps the disk busy for some 15 ms per 64 MB table, and no log can be synced meanwhile. So large tables
// are truncated piece by piece on a separate thread, with a rest after each piece as long as the piece took. When space
// is wanted soon, some tables are removed at once, within an allowance of time.
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
  // Skips the rests while less than `free_bytes_min` is free, since space then matters more than latency.
  static std::unique_ptr<TableRemoval> New(const std::shared_ptr<rocksdb::FileSystem>& files,
                                           std::shared_ptr<rocksdb::SystemClock> clock, RemovalPace pace,
                                           uint64_t free_bytes_min);
  virtual ~TableRemoval() = default;

  // The given file system, with deletions of tables deferred. Such a table stays on disk until it is removed, and its
  // size says how much of it is left.
  virtual std::shared_ptr<rocksdb::FileSystem> files() = 0;

  // Returns when all pending removals are done. Skips the rests from now on.
  virtual void Finish() = 0;

  // While one exists, removals requested by this thread are done at once, within the allowance.
  class Prompt {
   public:
    Prompt();
    ~Prompt();
    Prompt(const Prompt&) = delete;
    Prompt& operator=(const Prompt&) = delete;
  };
};

}  // namespace lapse::store
