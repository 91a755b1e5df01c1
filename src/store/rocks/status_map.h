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

// For writes. One that failed itself may or may not be there after a restart, whatever the error; one that was refused
// because of an earlier error changed nothing.
Status FromRocksWrite(const rocksdb::Status& status);

}  // namespace lapse::store
