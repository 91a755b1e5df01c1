// Tells a write-ahead log that a crash cut short from one that is damaged. (This folder looks for damage in a shard's
// files before RocksDB may change them.)
//
// Recovery ends at the first bad record, whatever the cause. After a crash that is right: the bad record is the write
// that was under way, never acknowledged. But where whole records follow, writes that were acknowledged would be lost
// without a word. Each write is synced before the next one is begun, so that no crash can leave such a log: the shard
// must not be opened. (Relaxed writes are not synced; see RocksOptions::accept_lost_log_tail.)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace rocksdb {
class Env;
}  // namespace rocksdb

namespace lapse::store {

// Whether there is any log in the directory `path`.
Result<bool> HasLog(rocksdb::Env* env, const std::string& path);

// A log that ends in a record that was not finished.
struct TornLog {
  std::string name;
  uint64_t size_bytes = 0;
  uint64_t whole_bytes = 0;  // up to the end of the last whole record
};

// Reads the logs in the directory `path` and answers which ones are torn. Fails: kCorruption when a log is damaged
// before its end, or when a damaged end is not where the next log goes on.
Result<std::vector<TornLog>> CheckLogs(rocksdb::Env* env, const std::string& path);

// Cuts off what was not finished: RocksDB cannot always get past it where it is not in the last log.
Status TrimLogs(rocksdb::Env* env, const std::string& path, const std::vector<TornLog>& torn);

// Cuts off the records that come after this sequence number: writes that failed and were never counted. Only while
// nothing is written to the logs.
Status CutLogsAfter(rocksdb::Env* env, const std::string& path, uint64_t sequence);

}  // namespace lapse::store
