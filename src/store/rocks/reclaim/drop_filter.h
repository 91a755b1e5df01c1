// A drop predicate as RocksDB asks for it.
#pragma once

#include <memory>

#include "store/shard.h"

namespace rocksdb {
class CompactionFilterFactory;
}  // namespace rocksdb

namespace lapse::store {

// Asked about what is compacted, and about what goes from a write buffer to a table. `drop` must outlive the filters.
std::shared_ptr<rocksdb::CompactionFilterFactory> NewDropFilterFactory(const DropPredicate* drop);

}  // namespace lapse::store
