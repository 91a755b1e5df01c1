// Compactions yield the processor to requests.
#pragma once

#include <memory>

namespace rocksdb {
class EventListener;
}  // namespace rocksdb

namespace lapse::store {

// Lowers the priority of the threads that compact. Flushes keep theirs: writers wait for them.
std::shared_ptr<rocksdb::EventListener> NewBackgroundPriorityListener();

}  // namespace lapse::store
