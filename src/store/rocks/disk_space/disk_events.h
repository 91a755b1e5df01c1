// Receives RocksDB's background events.
#pragma once

#include <atomic>
#include <memory>

namespace rocksdb {
class EventListener;
}  // namespace rocksdb

namespace lapse::store {

// Threads: any.
struct DiskEvents {
  // Set when a new log may have begun and the one before may not be synced.
  std::atomic<bool> log_begun{false};
};

// Records events in `events`, and stops RocksDB from recovering by itself after an error.
std::shared_ptr<rocksdb::EventListener> NewDiskEventListener(std::shared_ptr<DiskEvents> events);

}  // namespace lapse::store
