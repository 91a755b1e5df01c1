// Lets writes through to RocksDB, or not. (This folder keeps a full or failing disk from doing harm.)
//
// A full disk heals, a write that failed does not. RocksDB's own way to go on after an error numbers the next writes
// like the lost one, whose record may still be in a log, and waits for ever for flushes that it forgot. So a write that
// failed, for whatever reason, is the last one until the shard is opened again, and its record is cut off the log: what
// is read from now on and what the next start finds are the same. (Not if the power goes before the disk took the cut:
// so its outcome is still called unknown.) And so that a full disk does not come
// to that, writes are refused while there is still some room left, and taken again when there is more. The last of that
// room is for nobody: writes on the reserve must not run into the end of the disk either. Reads pass by the gate.
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

  // May sync where it was not asked for: after a new log was begun.
  Status Write(rocksdb::WriteOptions options, rocksdb::WriteBatch* batch, Room room);

  // Ok, or why nothing may be written now.
  Status Admit(Room room);

  // A write failed: what the logs hold after the last acknowledged one is not known.
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
