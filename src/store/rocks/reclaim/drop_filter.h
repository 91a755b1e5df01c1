// Adapts a drop predicate to RocksDB's compaction filter.
#pragma once

#include <memory>

#include "store/shard.h"

namespace rocksdb {
class CompactionFilterFactory;
}  // namespace rocksdb

namespace lapse::store {

// The filter is called for compacted records and for those flushed from a write buffer. `drop` must outlive the
// filters.
std::shared_ptr<rocksdb::CompactionFilterFactory> NewDropFilterFactory(const DropPredicate* drop);

}  // namespace lapse::store
