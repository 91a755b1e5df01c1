// RocksDB's own log, in ours.
#pragma once

#include <memory>

namespace rocksdb {
class Logger;
}  // namespace rocksdb

namespace lapse::store {

// Passes warnings and errors on and drops the rest, so that RocksDB keeps no log files of its own.
std::shared_ptr<rocksdb::Logger> NewLogForwarder();

}  // namespace lapse::store
