// A shard in RocksDB: on a local disk, or in memory without any file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "store/rocks/reclaim/removal_pace.h"
#include "store/shard.h"

namespace rocksdb {
class FileSystem;
class SystemClock;
}  // namespace rocksdb

namespace lapse::store {

// Where RocksDB gets its files from, for tests that break them (fault_file_system.h).
class FileSystemHook {
 public:
  virtual ~FileSystemHook() = default;
  virtual std::shared_ptr<rocksdb::FileSystem> NewFileSystem() = 0;
  virtual std::shared_ptr<rocksdb::SystemClock> NewClock() = 0;
};

struct RocksOptions {
  std::string path = {};  // of RocksDB's own directory; with in_memory only a name
  bool in_memory = false;
  // False: it was made before, so that a part of it that is missing is damage.
  bool create_if_missing = true;
  // For those who only look: no file is changed, not even to put right what a crash has left, and every write fails.
  // The log is read into memory.
  bool read_only = false;
  // Blocks, indexes and filters of tables: all that grows with the data lives in here.
  uint64_t cache_bytes = 256ull << 20;
  // Writes not yet in tables, over all families.
  uint64_t write_buffer_bytes = 128ull << 20;
  // With less than this free on the disk, writes are refused with kNoSpace until there is more; with Room::kReserve
  // with less than a sixteenth of it. It is what a compaction and a flush
  // under way may still need: should they run out of room, only opening the shard again helps. 0: never.
  uint64_t free_bytes_min = 512ull << 20;
  // Writes came with Durability::kRelaxed, so that a machine crash may leave a damaged record with whole ones behind it
  // in the log. True: start from what was before the damage. False: refuse, since acknowledged writes would be lost.
  bool accept_lost_log_tail = false;
  RemovalPace removal = {};
  std::shared_ptr<FileSystemHook> file_system = {};  // null: the machine's
};

// The families must be those the shard was made with, or more. Fails: kNotFound when there is nothing and
// create_if_missing is false or it is to be read only; kUnavailable when it is open already; kInvalidArgument when a
// family is left out; kUnsupported when it is to be read only and lacks a family, which an older version has left;
// kCorruption when the files are not what was written. None of these changes anything.
Result<std::unique_ptr<Shard>> OpenRocksShard(const RocksOptions& options, const std::vector<FamilyOptions>& families);

}  // namespace lapse::store
