// RocksDB as an expert would open it who needs only one family of keys: the yardstick for reads and writes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace rocksdb {
class DB;
class Status;
}  // namespace rocksdb

namespace lapse::bench {

// Ends the program if the status is not ok.
void Check(const rocksdb::Status& status);

std::unique_ptr<rocksdb::DB> OpenBare(const std::string& path, uint64_t cache_bytes);

}  // namespace lapse::bench
