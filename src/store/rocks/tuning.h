// Every RocksDB setting, with its reason.
#pragma once

#include <cstdint>
#include <memory>

#include "store/rocks/rocks_shard.h"
#include "store/shard.h"

namespace rocksdb {
class Cache;
struct ColumnFamilyOptions;
struct DBOptions;
}  // namespace rocksdb

namespace lapse::store {

// The block cache of all families.
std::shared_ptr<rocksdb::Cache> NewBlockCache(uint64_t bytes);

rocksdb::DBOptions DatabaseTuning(const RocksOptions& options);

// `cache` is shared by all families.
rocksdb::ColumnFamilyOptions FamilyTuning(const RocksOptions& options, const FamilyOptions& family,
                                          const std::shared_ptr<rocksdb::Cache>& cache);

}  // namespace lapse::store
