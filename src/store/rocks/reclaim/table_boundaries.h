// Decides where one table ends and the next begins.
#pragma once

#include <cstddef>
#include <memory>

namespace rocksdb {
class SstPartitionerFactory;
}  // namespace rocksdb

namespace lapse::store {

// Ends a table that is not small where the key prefix changes, so that a group of keys can be dropped as a whole.
std::shared_ptr<rocksdb::SstPartitionerFactory> NewTableBoundaries(size_t prefix_bytes);

}  // namespace lapse::store
