// A server's data directory: whether it is ours, its format, and its use by one server at a time. (This folder has the
// files around RocksDB's own: their owner, and whether they are complete.)
//
// The file LAPSE says what the directory is, and whether its shard and its clock file have been made. The shard has a
// folder of its own in it. The clock's mark is in the file CLOCK, so that updating it needs no space on a full disk.
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
  bool create = true;  // create and stamp the directory if it is missing or empty
  // Tests control the store time of this directory. Its data would be wrong on the real clock, and vice versa, so a
  // directory never changes its kind of clock.
  bool test_clock = false;
};

// Owns: the lock on the directory, until destroyed.
// Threads: any.
class DataDirectory {
 public:
  // Creates the directory with mode 0700. If other users have access to an existing one, revokes it with a warning.
  // Fails, changing nothing: kNotFound when there is none and `create` is false; kUnavailable when another server has
  // it; kInvalidArgument when it holds something else or uses the other clock; kUnsupported when its format is unknown;
  // kCorruption when LAPSE cannot be parsed.
  static Result<std::unique_ptr<DataDirectory>> Open(const std::string& path, const DataDirectoryOptions& options);

  ~DataDirectory();
  DataDirectory(const DataDirectory&) = delete;
  DataDirectory& operator=(const DataDirectory&) = delete;

  // Opens the shard and the clock's slot, and creates them the first time. Sets options.path.
  // Fails: as OpenRocksShard, and with kCorruption, changing nothing, when the shard was made and is missing, or the
  // clock file was made and is missing or damaged.
  Result<std::unique_ptr<Shard>> OpenShard(RocksOptions options, const std::vector<FamilyOptions>& families);

  // The slot for the clock's mark, once the shard is open. Must not outlive the directory. Null in a directory that was
  // made without it, whose shard holds the mark.
  Slot* clock_slot() const { return clock_slot_.get(); }

  // Returns kCorruption when the clock file was made and is missing or damaged, in which case OpenShard would fail.
  Status CheckClock() const;
  // For a repair: replaces the clock file by an empty one and opens it.
  Status RemakeClock();

  uint32_t format_version() const { return format_version_; }
  bool test_clock() const { return test_clock_; }
  // The directory of the shard's RocksDB.
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
  bool clock_made_ = false;  // implies that the shard was made
  std::unique_ptr<SlotFile> clock_slot_;
};

}  // namespace lapse::store
