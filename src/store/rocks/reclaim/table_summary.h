// What a drop predicate needs to know to tell whether all records of a table may be dropped, kept in the table.
#pragma once

#include <memory>

#include "store/shard.h"

namespace rocksdb {
class TablePropertiesCollectorFactory;
struct TableProperties;
}  // namespace rocksdb

namespace lapse::store {

// Sums up while a table is written. `drop` must outlive the factory's collectors.
std::shared_ptr<rocksdb::TablePropertiesCollectorFactory> NewTableSummarizer(const DropPredicate* drop);

// False for a table without a summary, and for one with deletions: what they hide is not in it.
bool MayDropTable(const rocksdb::TableProperties& table, const DropPredicate& drop);

}  // namespace lapse::store
