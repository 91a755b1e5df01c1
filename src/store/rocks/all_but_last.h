// What a filter knows of keys that are alike but for their last bytes.
#pragma once

#include <cstddef>
#include <memory>

namespace rocksdb {
class SliceTransform;
}

namespace lapse::store {

// Everything of a key but its last bytes. Its name is in every table, so that a filter of another kind is not asked.
std::shared_ptr<const rocksdb::SliceTransform> NewAllButLast(size_t bytes);

}  // namespace lapse::store
