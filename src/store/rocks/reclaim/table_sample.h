// Keeps a sample of its records in every table, from which the share of dead bytes can be estimated without reading the
// table.
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

// Estimates the share of the table's bytes that may be dropped, from 0 to 1. Returns 0 for a table without a sample.
double DroppableShare(const rocksdb::TableProperties& table, const DropPredicate& drop);

}  // namespace lapse::store
