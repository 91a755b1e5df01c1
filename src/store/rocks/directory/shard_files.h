// The files of a shard while RocksDB does not have them open: their owner, and whether they are intact.
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

// Owns: the shard's directory, through a lock file, until destroyed. RocksDB's own lock covers neither the checks
// before it opens the files nor the writes after it has closed them.
// Threads: one at a time.
class ShardFiles {
 public:
  // Fails: kNotFound when there is no database and `create` is false; kUnavailable when another owns it; kCorruption
  // when a database's files are present but CURRENT, the only file RocksDB looks for, is missing.
  static Result<std::unique_ptr<ShardFiles>> Claim(rocksdb::Env* env, const std::string& path, bool create);

  ~ShardFiles();
  ShardFiles(const ShardFiles&) = delete;
  ShardFiles& operator=(const ShardFiles&) = delete;

  // Whether a database existed when the directory was claimed.
  bool has_database() const { return has_database_; }

  // Checks for missing files and damaged logs, and changes nothing. Requires a database.
  // Fails: kCorruption. With `accept_lost_log_tail`, accepts a log that a machine crash may have damaged.
  Status Check(bool accept_lost_log_tail);

  // Call between Check and opening RocksDB.
  Status BeginWriting();

  // Call after RocksDB has closed the files, all of them synced. Writes an inventory, unless a damaged log was
  // accepted.
  Status EndWriting();

 private:
  ShardFiles(rocksdb::Env* env, std::string path, bool was_made)
      : env_(env), path_(std::move(path)), was_made_(was_made) {}

  Status CheckLogs(bool clean, bool accept_lost_log_tail);

  rocksdb::Env* const env_;
  const std::string path_;
  const bool was_made_;  // whether the shard had been made completely before
  rocksdb::FileLock* lock_ = nullptr;
  bool has_database_ = false;
  bool accepted_damage_ = false;
  std::vector<TornLog> torn_logs_;
};

}  // namespace lapse::store
