// Tables whose indexes and filters stay at hand.
//
// Every look-up needs the index and the filter of a table, and to find them in the cache takes a lock that all threads
// share. So a table keeps hold of its own, as long as all that is held takes no more than half of the cache; those that
// are opened beyond that look for theirs, and what is seldom used goes.
#pragma once

#include <memory>

namespace rocksdb {
class TableFactory;
struct BlockBasedTableOptions;
}  // namespace rocksdb

namespace lapse::store {

// With a block cache, in which indexes and filters are.
std::shared_ptr<rocksdb::TableFactory> NewPinnedTables(const rocksdb::BlockBasedTableOptions& options);

}  // namespace lapse::store
