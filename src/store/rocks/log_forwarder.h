// Forwards RocksDB's log to ours.
#pragma once

#include <memory>

namespace rocksdb {
class Logger;
}  // namespace rocksdb

namespace lapse::store {

// Forwards warnings and errors and drops the rest, so that RocksDB keeps no log files of its own.
std::shared_ptr<rocksdb::Logger> NewLogForwarder();

}  // namespace lapse::store
