// The files of a shard while RocksDB does not have them: whose they are, and whether they are what was left.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "store/rocks/check/log_check.h"

namespace rocksdb {
class Env;
class FileLock;
}  // namespace rocksdb

namespace lapse::store {

// Owns: the shard's directory, by a lock file, until destroyed. RocksDB's own lock covers less: neither what is checked
// before RocksDB opens the files nor what is written after it has closed them. Threads: one at a time.
class ShardFiles {
 public:
  // Fails: kNotFound when there is no database and `create` is false; kUnavailable when another owns it; kCorruption
  // when the files of a database are there and CURRENT, by which RocksDB goes alone, is not.
  static Result<std::unique_ptr<ShardFiles>> Claim(rocksdb::Env* env, const std::string& path, bool create);

  ~ShardFiles();
  ShardFiles(const ShardFiles&) = delete;
  ShardFiles& operator=(const ShardFiles&) = delete;

  // Whether there was a database when the directory was claimed.
  bool has_database() const { return has_database_; }

  // Looks for files that are missing and for damaged logs, and changes nothing; for a directory with a database. Fails:
  // kCorruption; with `accept_lost_log_tail` not for a log that a crash of the machine may have damaged.
  Status Check(bool accept_lost_log_tail);

  // Between Check and letting RocksDB at the files.
  Status BeginWriting();

  // After RocksDB has closed the files, all of them synced. Leaves an inventory, unless a damaged log was accepted.
  Status EndWriting();

 private:
  ShardFiles(rocksdb::Env* env, std::string path, bool was_made)
      : env_(env), path_(std::move(path)), was_made_(was_made) {}

  Status CheckLogs(bool clean, bool accept_lost_log_tail);

  rocksdb::Env* const env_;
  const std::string path_;
  const bool was_made_;  // the shard, to its end, some time before
  rocksdb::FileLock* lock_ = nullptr;
  bool has_database_ = false;
  bool accepted_damage_ = false;
  std::vector<TornLog> torn_logs_;
};

}  // namespace lapse::store
