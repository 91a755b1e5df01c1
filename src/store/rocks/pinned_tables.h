// Tables that pin their indexes and filters.
//
// Every look-up needs the index and the filter of a table, and finding them in the cache takes a lock shared by all
// threads. So a table pins its own, as long as all pinned ones take at most half of the cache. Tables opened beyond
// that use the cache, which evicts what is rarely used.
#pragma once

#include <memory>

namespace rocksdb {
class TableFactory;
struct BlockBasedTableOptions;
}  // namespace rocksdb

namespace lapse::store {

// Requires a block cache that holds indexes and filters.
std::shared_ptr<rocksdb::TableFactory> NewPinnedTables(const rocksdb::BlockBasedTableOptions& options);

}  // namespace lapse::store
