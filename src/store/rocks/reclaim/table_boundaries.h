// Where one table ends and the next begins.
#pragma once

#include <cstddef>
#include <memory>

namespace rocksdb {
class SstPartitionerFactory;
}  // namespace rocksdb

namespace lapse::store {

// Ends a table that is not small where the first bytes of the keys change, so that what goes together can go as a
// whole.
std::shared_ptr<rocksdb::SstPartitionerFactory> NewTableBoundaries(size_t prefix_bytes);

}  // namespace lapse::store
