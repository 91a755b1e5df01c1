// A filter over groups of keys that differ only in their last bytes.
#pragma once

#include <cstddef>
#include <memory>

namespace rocksdb {
class SliceTransform;
}

namespace lapse::store {

// Maps a key to all but its last bytes. Tables store its name, so that filters of another kind are not consulted.
std::shared_ptr<const rocksdb::SliceTransform> NewAllButLast(size_t bytes);

}  // namespace lapse::store
