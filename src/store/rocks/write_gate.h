// Lets writes through to RocksDB, or not.
//
// After an error of the disk RocksDB takes no more writes, so that nothing is acknowledged that a log with a hole could
// lose. When the disk was merely full it can be told to go on, once there is room: the gate does that, as writes come
// and not more often than once a second. Any other error stays until the shard is opened again. Reads pass by the gate.
//
// To go on, RocksDB writes out its buffers and begins a new log; but with nothing in the buffers it would keep the log
// that failed, and abort at the next write. So there is always an *anchor*, a record in the default family's buffer.
// Writes bring it along whenever that buffer was written out.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "base/clock.h"
#include "base/status.h"
#include "store/rocks/disk_error_listener.h"

namespace rocksdb {
class DB;
class Status;
class WriteBatch;
struct WriteOptions;
}  // namespace rocksdb

namespace lapse::store {

// Threads: any.
class WriteGate {
 public:
  // `db` and `clock` must outlive the gate; `events` are those of the database.
  WriteGate(rocksdb::DB* db, const SteadyClock* clock, std::shared_ptr<DiskEvents> events)
      : db_(db), clock_(clock), events_(std::move(events)) {}

  // May add the anchor to the batch, and sync where it was not asked for: after a new log was begun.
  Status Write(rocksdb::WriteOptions options, rocksdb::WriteBatch* batch);

  // Ok, or why writes are refused. For what must not be done then either; does not try to go on.
  Status Check();

 private:
  Status Admit() { return open_.load(std::memory_order_acquire) ? Status::Ok() : TryToOpen(); }
  Status TryToOpen();
  Status Resume();
  void Close(const rocksdb::Status& status);
  bool HasRoom() const;
  bool HoldsWrites() const;

  rocksdb::DB* const db_;
  const SteadyClock* const clock_;
  const std::shared_ptr<DiskEvents> events_;
  std::atomic<bool> open_{true};

  std::mutex mutex_;
  // Guarded by mutex_.
  Status reason_;  // why the gate is closed
  int64_t next_attempt_ns_ = 0;
};

}  // namespace lapse::store
