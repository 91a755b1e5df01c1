// A sample of its records in every table, so that the share of its bytes that is dead can be told without reading it.
#pragma once

#include <memory>
#include <string>

#include "store/shard.h"

namespace rocksdb {
class TablePropertiesCollectorFactory;
struct TableProperties;
}  // namespace rocksdb

namespace lapse::store {

// Takes the sample while a table is written.
std::shared_ptr<rocksdb::TablePropertiesCollectorFactory> NewTableSampler();

// The share of the table's bytes that may be dropped, from 0 to 1, by the sample. 0 for a table without one.
double DroppableShare(const rocksdb::TableProperties& table, const DropPredicate& drop);

}  // namespace lapse::store
