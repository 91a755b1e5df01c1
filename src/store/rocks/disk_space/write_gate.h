// Decides which writes reach RocksDB. (This folder keeps a full or failing disk from doing harm.)
//
// A full disk recovers, a failed write does not. RocksDB's own recovery from an error reuses the sequence number of the
// lost write, whose record may still be in a log, and waits for ever for flushes that it forgot. So after a failed
// write, whatever the reason, no further one is accepted until the shard is reopened. Its record is cut off the log, so
// that reads from now on agree with what the next start finds. (The power may fail before the cut is on disk, so the
// outcome of the write is still reported as unknown.)
//
// To keep a full disk from causing this, writes are refused while some space is left, and accepted again when there is
// more. The last of that space is for no write at all: writes on the reserve must not fill the disk either. Reads
// bypass the gate.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "base/status.h"
#include "store/rocks/disk_space/disk_events.h"
#include "store/shard.h"

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
  // `db` must outlive the gate; `events` are those of the database.
  WriteGate(rocksdb::DB* db, uint64_t free_bytes_min, std::shared_ptr<DiskEvents> events)
      : db_(db), free_bytes_min_(free_bytes_min), events_(std::move(events)) {}

  // Also syncs, even if the caller did not ask for it, after a new log has begun.
  Status Write(rocksdb::WriteOptions options, rocksdb::WriteBatch* batch, Room room);

  // Returns ok, or why nothing may be written now.
  Status Admit(Room room);

  // A write has failed: the contents of the logs after the last acknowledged write are unknown.
  bool stopped() const { return stopped_.load(std::memory_order_acquire); }

 private:
  Status CheckRoom(Room room);
  uint64_t NeededBytes(Room room) const;
  void NoteRoom(bool has_room, uint64_t free_bytes);
  void Stop(const rocksdb::Status& status);
  void TakeBack();
  Status Reason();

  rocksdb::DB* const db_;
  const uint64_t free_bytes_min_;
  const std::shared_ptr<DiskEvents> events_;
  std::atomic<bool> had_room_{true};
  std::atomic<bool> stopped_{false};

  std::mutex mutex_;
  Status reason_;  // why it is stopped; guarded by mutex_
};

}  // namespace lapse::store
