#include "store/rocks/disk_space/write_gate.h"

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/write_batch.h>

#include <string>

#include "base/log.h"
#include "store/rocks/check/log_check.h"
#include "store/rocks/status_map.h"

namespace lapse::store {
namespace {

// Writes on the reserve stop at this fraction of it.
constexpr uint64_t kReserveFloorDivisor = 16;

}  // namespace

Status WriteGate::Write(rocksdb::WriteOptions options, rocksdb::WriteBatch* batch, Room room) {
  LAPSE_RETURN_IF_ERROR(Admit(room));
  // A sync also covers the logs before the current one. Without it a crash could lose the end of one log but keep the
  // beginning of the next.
  options.sync |= !options.disableWAL && events_->log_begun.exchange(false, std::memory_order_acq_rel);
  const rocksdb::Status status = db_->Write(options, batch);
  if (status.ok()) return Status::Ok();
  if (status.IsIOError() || status.IsCorruption()) Stop(status);
  Status failed = FromRocksWrite(status);
  // A write that RocksDB refused because of an earlier error gets the same answer as later writes.
  return stopped() && failed.code() != Code::kUnknownOutcome ? Reason() : failed;
}

Status WriteGate::Admit(Room room) {
  if (stopped()) return Reason();
  return free_bytes_min_ == 0 ? Status::Ok() : CheckRoom(room);
}

Status WriteGate::Reason() {
  std::lock_guard lock(mutex_);
  return reason_;
}

// Asks the file system each time, which takes a microsecond; a write to the log takes several.
Status WriteGate::CheckRoom(Room room) {
  uint64_t free_bytes = 0;
  const rocksdb::Status status = db_->GetEnv()->GetFreeSpace(db_->GetName(), &free_bytes);
  // If the file system cannot tell, the only way to find out is to try.
  if (!status.ok()) return Status::Ok();
  NoteRoom(free_bytes >= free_bytes_min_, free_bytes);
  const uint64_t needed_bytes = NeededBytes(room);
  if (free_bytes >= needed_bytes) return Status::Ok();
  return {Code::kNoSpace, "the disk is full: less than " + std::to_string(needed_bytes) + " bytes are free"};
}

uint64_t WriteGate::NeededBytes(Room room) const {
  switch (room) {
    case Room::kOrdinary: break;
    case Room::kReserve: return free_bytes_min_ / kReserveFloorDivisor;
  }
  return free_bytes_min_;
}

// The first caller after a change logs it.
void WriteGate::NoteRoom(bool has_room, uint64_t free_bytes) {
  if (had_room_.load(std::memory_order_relaxed) == has_room || had_room_.exchange(has_room) == has_room) return;
  Log(LogLevel::kWarn, has_room ? "disk_has_room" : "disk_full",
      {{"writes", has_room ? "ok" : "refused"}, {"free_bytes", free_bytes}, {"reserve_bytes", free_bytes_min_}});
}

void WriteGate::Stop(const rocksdb::Status& status) {
  std::lock_guard lock(mutex_);
  if (stopped_.load(std::memory_order_relaxed)) return;
  // Not kNoSpace, whatever the failure, since freeing space is no longer enough.
  reason_ = Status(Code::kUnavailable, "the store takes no writes until it is opened again: " + status.ToString());
  stopped_.store(true, std::memory_order_release);
  Log(LogLevel::kError, "store_writes_stopped", {{"reason", reason_.message()}});
  TakeBack();
}

// RocksDB writes nothing more to its logs, so no other writer is in the way.
void WriteGate::TakeBack() {
  const Status cut = CutLogsAfter(db_->GetEnv(), db_->GetName(), db_->GetLatestSequenceNumber());
  if (!cut.ok()) Log(LogLevel::kError, "failed_write_not_taken_back", {{"reason", cut.ToString()}});
}

}  // namespace lapse::store
