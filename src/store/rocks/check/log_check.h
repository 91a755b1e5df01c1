// Distinguishes a write-ahead log cut short by a crash from a damaged one. (This folder looks for damage in a shard's
// files before RocksDB may change them.)
//
// Recovery ends at the first bad record, whatever the cause. After a crash that is right: the bad record is the write
// in flight, which was never acknowledged. But if intact records follow, acknowledged writes would be lost silently.
// Each write is synced before the next begins, so no crash can leave such a log, and the shard must not be opened.
// (Relaxed writes are not synced; see RocksOptions::accept_lost_log_tail.)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace rocksdb {
class Env;
}  // namespace rocksdb

namespace lapse::store {

// Whether the directory `path` contains a log.
Result<bool> HasLog(rocksdb::Env* env, const std::string& path);

// A log that ends in an incomplete record.
struct TornLog {
  std::string name;
  uint64_t size_bytes = 0;
  uint64_t whole_bytes = 0;  // up to the end of the last complete record
};

// Reads the logs in the directory `path` and returns the torn ones.
// Fails: kCorruption when a log is damaged before its end, or when the next log does not continue where a torn one
// ends.
Result<std::vector<TornLog>> CheckLogs(rocksdb::Env* env, const std::string& path);

// Cuts off incomplete records, because RocksDB cannot always get past one that is not in the last log.
Status TrimLogs(rocksdb::Env* env, const std::string& path, const std::vector<TornLog>& torn);

// Cuts off the records after this sequence number: failed writes, which do not count. The logs must not be in use for
// writing.
Status CutLogsAfter(rocksdb::Env* env, const std::string& path, uint64_t sequence);

}  // namespace lapse::store
