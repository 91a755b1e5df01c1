#include "store/rocks/directory/shard_files.h"

#include <rocksdb/env.h>

#include <utility>

#include "store/rocks/directory/file_names.h"
#include "store/rocks/directory/inventory.h"
#include "store/rocks/status_map.h"

namespace lapse::store {
namespace {

// Not RocksDB's LOCK, which RocksDB takes and releases by itself.
constexpr char kLockName[] = "LAPSE.LOCK";

// If CURRENT is missing, RocksDB creates a new database and deletes the tables of the old one.
Result<bool> DatabaseExists(rocksdb::Env* env, const std::string& path) {
  std::vector<std::string> children;
  const rocksdb::Status status = env->GetChildren(path, &children);
  if (status.IsNotFound()) return false;
  LAPSE_RETURN_IF_ERROR(FromRocksOpen(status));
  bool has_data = false;
  for (const std::string& name : children) {
    if (name == kCurrentName) return true;
    has_data |= IsTable(name) || IsLog(name) || name == kInventoryName;
  }
  if (has_data) return Status(Code::kCorruption, path + " has data files but the file CURRENT is missing");
  return false;
}

}  // namespace

Result<std::unique_ptr<ShardFiles>> ShardFiles::Claim(rocksdb::Env* env, const std::string& path, bool create) {
  LAPSE_ASSIGN_OR_RETURN(const bool exists, DatabaseExists(env, path));
  if (!exists && !create) return Status(Code::kNotFound, "there is no shard in " + path);
  std::unique_ptr<ShardFiles> files(new ShardFiles(env, path, !create));
  if (!exists) LAPSE_RETURN_IF_ERROR(FromRocksRead(env->CreateDirIfMissing(path)));
  LAPSE_RETURN_IF_ERROR(FromRocksRead(env->LockFile(path + "/" + kLockName, &files->lock_)));
  // Another owner may have created it meanwhile.
  LAPSE_ASSIGN_OR_RETURN(files->has_database_, DatabaseExists(env, path));
  return files;
}

ShardFiles::~ShardFiles() {
  if (lock_ != nullptr) env_->UnlockFile(lock_).PermitUncheckedError();
}

Status ShardFiles::Check(bool accept_lost_log_tail) {
  LAPSE_ASSIGN_OR_RETURN(const bool clean, CheckInventory(env_, path_));
  // Only an interrupted creation leaves no log: RocksDB begins the next log before it deletes the last.
  LAPSE_ASSIGN_OR_RETURN(const bool has_log, HasLog(env_, path_));
  if (was_made_ && !has_log) return {Code::kCorruption, path_ + " has no write-ahead log (*.log)"};
  return CheckLogs(clean, accept_lost_log_tail);
}

Status ShardFiles::CheckLogs(bool clean, bool accept_lost_log_tail) {
  Result<std::vector<TornLog>> torn = store::CheckLogs(env_, path_);
  if (!torn.ok()) {
    accepted_damage_ = torn.status().code() == Code::kCorruption && accept_lost_log_tail && !clean;
    return accepted_damage_ ? Status::Ok() : torn.status();
  }
  if (clean && !torn->empty()) {
    const TornLog& log = torn->front();
    return {Code::kCorruption, "the write-ahead log " + log.name + " is damaged after byte " +
                                   std::to_string(log.whole_bytes) + ", though it was closed by a clean end"};
  }
  torn_logs_ = *std::move(torn);
  return Status::Ok();
}

Status ShardFiles::BeginWriting() {
  LAPSE_RETURN_IF_ERROR(RemoveInventory(env_, path_));
  return TrimLogs(env_, path_, torn_logs_);
}

Status ShardFiles::EndWriting() {
  // RocksDB may keep the damaged log for a while, and an inventory would declare it intact.
  if (accepted_damage_) return Status::Ok();
  return WriteInventory(env_, path_);
}

}  // namespace lapse::store
