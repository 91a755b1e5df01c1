// RocksDB as somebody would open it who knows it well and needs nothing but one family of keys: the yardstick for reads
// and writes. Only sources that use RocksDB themselves include this.
#pragma once

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <cstdint>
#include <memory>
#include <string>

#include "bench/measure/report.h"

namespace lapse::bench {

inline void Check(const rocksdb::Status& status) {
  if (!status.ok()) Fail(status.ToString());
}

inline rocksdb::Options BareOptions(uint64_t cache_bytes) {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.max_background_jobs = 2;
  options.compression = rocksdb::kLZ4Compression;
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(cache_bytes);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;
  table.format_version = 5;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

inline std::unique_ptr<rocksdb::DB> OpenBare(const std::string& path, const rocksdb::Options& options) {
  rocksdb::DB* db = nullptr;
  Check(rocksdb::DB::Open(options, path, &db));
  return std::unique_ptr<rocksdb::DB>(db);
}

}  // namespace lapse::bench
