// Hears from RocksDB what happens behind the calls.
#pragma once

#include <atomic>
#include <memory>

namespace rocksdb {
class EventListener;
}  // namespace rocksdb

namespace lapse::store {

// Threads: any.
struct DiskEvents {
  // A new log may have been begun; the one before it may not be synced.
  std::atomic<bool> log_begun{false};
};

// Notes what happens in `events`, and keeps RocksDB from going on by itself after an error.
std::shared_ptr<rocksdb::EventListener> NewDiskEventListener(std::shared_ptr<DiskEvents> events);

}  // namespace lapse::store
