#include "bench/measure/bare_rocks.h"

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include "bench/measure/report.h"

namespace lapse::bench {
namespace {

rocksdb::Options BareOptions(uint64_t cache_bytes) {
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

}  // namespace

void Check(const rocksdb::Status& status) {
  if (!status.ok()) Fail(status.ToString());
}

std::unique_ptr<rocksdb::DB> OpenBare(const std::string& path, uint64_t cache_bytes) {
  rocksdb::DB* db = nullptr;
  Check(rocksdb::DB::Open(BareOptions(cache_bytes), path, &db));
  return std::unique_ptr<rocksdb::DB>(db);
}

}  // namespace lapse::bench
