// RocksDB's errors in our words.
#pragma once

#include "base/status.h"

namespace rocksdb {
class Status;
}  // namespace rocksdb

namespace lapse::store {

// For reads and compactions.
Status FromRocksRead(const rocksdb::Status& status);

// For opening a database that is there: a file that is missing is damage.
Status FromRocksOpen(const rocksdb::Status& status);

// For writes. One that was refused because of an earlier error changed nothing. One that failed itself may be there
// after a restart; one that found no room for its record is not, unless `log_sync_failed`: then the record was whole.
Status FromRocksWrite(const rocksdb::Status& status, bool log_sync_failed);

}  // namespace lapse::store
