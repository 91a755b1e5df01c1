// A drop predicate as RocksDB asks for it.
#pragma once

#include <memory>

#include "store/shard.h"

namespace rocksdb {
class CompactionFilter;
}  // namespace rocksdb

namespace lapse::store {

// `drop` must outlive the filter.
std::shared_ptr<rocksdb::CompactionFilter> NewDropFilter(const DropPredicate* drop);

}  // namespace lapse::store
