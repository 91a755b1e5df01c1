// Keeps in each table what a drop predicate needs to tell whether all of its records may be dropped.
#pragma once

#include <memory>

#include "store/shard.h"

namespace rocksdb {
class TablePropertiesCollectorFactory;
struct TableProperties;
}  // namespace rocksdb

namespace lapse::store {

// Builds the summary while a table is written. `drop` must outlive the factory's collectors.
std::shared_ptr<rocksdb::TablePropertiesCollectorFactory> NewTableSummarizer(const DropPredicate* drop);

// Returns false for a table without a summary, and for one with deletions, since a summary omits what they hide.
bool MayDropTable(const rocksdb::TableProperties& table, const DropPredicate& drop);

}  // namespace lapse::store
