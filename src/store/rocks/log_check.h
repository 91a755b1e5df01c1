// Tells a write-ahead log that a crash cut short from one that is damaged.
//
// Recovery ends at the first bad record, whatever the cause. After a crash that is right: the bad record is the write
// that was under way, never acknowledged. But where whole records follow, writes that were acknowledged would be lost
// without a word. Each write is synced before the next one is begun, so that no crash can leave such a log: the shard
// must not be opened. (Relaxed writes are not synced; see RocksOptions::accept_lost_log_tail.)
#pragma once

#include <string>

#include "base/status.h"

namespace rocksdb {
class Env;
}  // namespace rocksdb

namespace lapse::store {

// Reads the logs in the directory `path` and cuts off records that were not finished: RocksDB cannot always get past
// one that is not in the last log. Fails, with nothing changed: kCorruption when a log is damaged before its end, or
// when a damaged end is not where the next log goes on.
Status CheckAndTrimLogs(rocksdb::Env* env, const std::string& path);

}  // namespace lapse::store
