// RocksDB as somebody would open it who knows it well and needs nothing but one family of keys: the yardstick for reads
// and writes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace rocksdb {
class DB;
class Status;
}  // namespace rocksdb

namespace lapse::bench {

// Ends the program when it is not ok.
void Check(const rocksdb::Status& status);

std::unique_ptr<rocksdb::DB> OpenBare(const std::string& path, uint64_t cache_bytes);

}  // namespace lapse::bench
