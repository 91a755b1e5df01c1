// A shard in RocksDB, either on a local disk or in memory without any file.
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

// The source of RocksDB's files, for tests that break them (fault_file_system.h).
class FileSystemHook {
 public:
  virtual ~FileSystemHook() = default;
  virtual std::shared_ptr<rocksdb::FileSystem> NewFileSystem() = 0;
  virtual std::shared_ptr<rocksdb::SystemClock> NewClock() = 0;
};

struct RocksOptions {
  std::string path = {};  // RocksDB's own directory; only a name if in_memory
  bool in_memory = false;
  // False: the shard exists, so a missing part of it is damage.
  bool create_if_missing = true;
  // For read-only tools: changes no file, not even to repair what a crash has left, and fails every write. The log is
  // read into memory.
  bool read_only = false;
  // Blocks, indexes and filters of tables: everything that grows with the data.
  uint64_t cache_bytes = 256ull << 20;
  // Writes not yet in tables, for all families.
  uint64_t write_buffer_bytes = 128ull << 20;
  // Writes fail with kNoSpace while less than this is free on the disk. With Room::kReserve the limit is a sixteenth of
  // it. A compaction and a flush in flight may still need this space. If they run out of it, only reopening the shard
  // helps. With 0 there is no limit.
  uint64_t free_bytes_min = 512ull << 20;
  // Writes used Durability::kRelaxed, so a machine crash may have left a damaged record in the log, followed by whole
  // ones. True: start from the state before the damage. False: refuse, since acknowledged writes would be lost.
  bool accept_lost_log_tail = false;
  RemovalPace removal = {};
  std::shared_ptr<FileSystemHook> file_system = {};  // null: the machine's own
};

// The families must include all those the shard was made with. Fails, changing nothing: kNotFound when there is no
// shard and create_if_missing is false or read_only is true; kUnavailable when it is open already; kInvalidArgument
// when a family is left out; kUnsupported when read_only is true and the shard, from an older version, lacks a family;
// kCorruption when the files are not what was written.
Result<std::unique_ptr<Shard>> OpenRocksShard(const RocksOptions& options, const std::vector<FamilyOptions>& families);

}  // namespace lapse::store
