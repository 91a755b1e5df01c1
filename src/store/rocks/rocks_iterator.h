// A walk over one family of a RocksDB.
#pragma once

#include <memory>

#include "store/shard.h"

namespace rocksdb {
class ColumnFamilyHandle;
class DB;
class Snapshot;
}  // namespace rocksdb

namespace lapse::store {

struct FamilyPlace {
  rocksdb::ColumnFamilyHandle* handle;
  bool has_deleted_ranges;  // or may have
};

// `snapshot` is what options.snapshot stands for; null: as of now.
std::unique_ptr<Iterator> NewRocksIterator(rocksdb::DB* db, const FamilyPlace& family, const IterateOptions& options,
                                           std::shared_ptr<const rocksdb::Snapshot> snapshot);

}  // namespace lapse::store
