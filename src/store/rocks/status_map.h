// Translates RocksDB's errors into our codes.
#pragma once

#include "base/status.h"

namespace rocksdb {
class Status;
}  // namespace rocksdb

namespace lapse::store {

// For reads and compactions.
Status FromRocksRead(const rocksdb::Status& status);

// For opening an existing database, where a missing file is damage.
Status FromRocksOpen(const rocksdb::Status& status);

// For writes. One that failed itself may or may not be there after a restart, whatever the error. One that was refused
// because of an earlier error changed nothing.
Status FromRocksWrite(const rocksdb::Status& status);

}  // namespace lapse::store
