// Hears from RocksDB what its errors do not say.
#pragma once

#include <atomic>
#include <memory>

namespace rocksdb {
class EventListener;
}  // namespace rocksdb

namespace lapse::store {

// Threads: any.
struct DiskEvents {
  // A sync of a log failed: all of the record may be in the file. After a failed append it cannot be.
  std::atomic<bool> log_sync_failed{false};
  // The log in use has failed; it cannot be written any more.
  std::atomic<bool> log_failed{false};
  // A new log may have been begun; the one before it may not be synced.
  std::atomic<bool> log_begun{false};
  // The default family's write buffer holds something (WriteGate says what for).
  std::atomic<bool> anchored{false};
};

// Notes what happens in `events`, and keeps RocksDB from recovering by itself from a full disk.
std::shared_ptr<rocksdb::EventListener> NewDiskErrorListener(std::shared_ptr<DiskEvents> events);

}  // namespace lapse::store
