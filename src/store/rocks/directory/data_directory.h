// The directory a server keeps its data in: ours or not, which format, and one server at a time. (This folder has the
// files around RocksDB's own: who owns them, and whether they are complete.)
//
// The file LAPSE says what the directory is, and whether its shard and its clock file were made. The shard lives beside
// it in a folder of its own; the clock's mark in the file CLOCK, so that it needs no room on a full disk.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "store/rocks/directory/slot_file.h"
#include "store/rocks/rocks_shard.h"
#include "store/shard.h"
#include "store/slot.h"

namespace lapse::store {

struct DataDirectoryOptions {
  bool create = true;  // make and stamp it when it is missing or empty
  // Store time in this directory is moved by tests. Its data would be wrong on the real clock and the other way round,
  // so a directory stays what it was made as.
  bool test_clock = false;
};

// Owns: the lock on the directory, until destroyed. Threads: any.
class DataDirectory {
 public:
  // Fails, with nothing touched: kNotFound when there is none and `create` is false; kUnavailable when another server
  // has it; kInvalidArgument when it holds something else or is of the other clock; kUnsupported when its format is not
  // known; kCorruption when LAPSE cannot be understood. A directory that is made is its owner's alone (0700); one that
  // others may look into is closed to them, with a warning.
  static Result<std::unique_ptr<DataDirectory>> Open(const std::string& path, const DataDirectoryOptions& options);

  ~DataDirectory();
  DataDirectory(const DataDirectory&) = delete;
  DataDirectory& operator=(const DataDirectory&) = delete;

  // Opens the one shard and the clock's slot, and makes them the first time; options.path is filled in. Fails as
  // OpenRocksShard, and with kCorruption, before anything is touched, when the shard was made and is gone, or the clock
  // file was made and is gone or damaged.
  Result<std::unique_ptr<Shard>> OpenShard(RocksOptions options, const std::vector<FamilyOptions>& families);

  // Where the clock's mark is kept, from the time that the shard is open; it must not be used beyond the directory's
  // life. Empty in a directory that was made without it: its mark is in the shard.
  Slot* clock_slot() const { return clock_slot_.get(); }

  // kCorruption when the clock file was made and is gone or damaged: OpenShard would be refused.
  Status CheckClock() const;
  // Makes an empty one in its place and opens it; for a repair.
  Status RemakeClock();

  uint32_t format_version() const { return format_version_; }
  bool test_clock() const { return test_clock_; }
  // Where RocksDB keeps the one shard.
  std::string shard_path() const { return path_ + "/shard-0"; }

 private:
  DataDirectory(std::string path, int lock_fd) : path_(std::move(path)), lock_fd_(lock_fd) {}

  Status ReadStamp(const std::string& text);
  Status OpenClock();
  Status MakeClock();

  const std::string path_;
  const int lock_fd_;
  uint32_t format_version_ = 0;
  bool test_clock_ = false;
  bool shard_made_ = false;
  bool clock_made_ = false;  // never without the shard
  std::unique_ptr<SlotFile> clock_slot_;
};

}  // namespace lapse::store
