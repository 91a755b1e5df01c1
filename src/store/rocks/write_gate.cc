#include "store/rocks/write_gate.h"

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/write_batch.h>

#include "base/log.h"
#include "store/rocks/status_map.h"

namespace lapse::store {
namespace {

constexpr int64_t kAttemptIntervalNs = 1'000'000'000;

// A disk that is full again at the first write after going on would leave no anchor, so some room must be there.
constexpr uint64_t kRoomBytesMin = 16ull << 20;

constexpr char kAnchorKey[] = "anchor";

Status StoppedForGood(const std::string& text) {
  return {Code::kUnavailable, "the store takes no writes until it is opened again: " + text};
}

}  // namespace

Status WriteGate::Write(rocksdb::WriteOptions options, rocksdb::WriteBatch* batch) {
  LAPSE_RETURN_IF_ERROR(Admit());
  // A sync covers the logs before the one in use too. Without it a crash could lose the end of one log and keep the
  // beginning of the next.
  options.sync |= !options.disableWAL && events_->log_begun.exchange(false, std::memory_order_acq_rel);
  // Claimed before the write, since the buffer may be written out at any time after it.
  const bool anchors = !options.disableWAL && !events_->anchored.exchange(true, std::memory_order_acq_rel);
  if (anchors) LAPSE_RETURN_IF_ERROR(FromRocksRead(batch->Put(kAnchorKey, {})));

  const rocksdb::Status status = db_->Write(options, batch);
  if (status.ok()) return Status::Ok();
  if (anchors) events_->anchored.store(false, std::memory_order_release);
  if (status.IsIOError() || status.IsCorruption()) Close(status);
  return FromRocksWrite(status, events_->log_sync_failed.load(std::memory_order_acquire));
}

Status WriteGate::Check() {
  if (open_.load(std::memory_order_acquire)) return Status::Ok();
  std::lock_guard lock(mutex_);
  return reason_;
}

void WriteGate::Close(const rocksdb::Status& status) {
  std::lock_guard lock(mutex_);
  if (!open_.load(std::memory_order_relaxed)) return;
  reason_ = status.IsNoSpace() ? Status(Code::kNoSpace, "the disk is full: " + status.ToString())
                               : StoppedForGood(status.ToString());
  next_attempt_ns_ = clock_->NowNs() + kAttemptIntervalNs;
  open_.store(false, std::memory_order_release);
  Log(LogLevel::kError, "store_writes_stopped", {{"reason", reason_.message()}});
}

Status WriteGate::TryToOpen() {
  {
    std::lock_guard lock(mutex_);
    if (open_.load(std::memory_order_relaxed)) return Status::Ok();
    const int64_t now_ns = clock_->NowNs();
    if (reason_.code() != Code::kNoSpace || now_ns < next_attempt_ns_) return reason_;
    next_attempt_ns_ = now_ns + kAttemptIntervalNs;
  }
  // Not under the mutex: it takes as long as writing out the buffers, and other writers are to be refused meanwhile.
  Status resumed = Resume();
  std::lock_guard lock(mutex_);
  if (!resumed.ok()) return reason_ = std::move(resumed);
  events_->log_failed.store(false, std::memory_order_relaxed);
  events_->log_sync_failed.store(false, std::memory_order_relaxed);
  open_.store(true, std::memory_order_release);
  Log(LogLevel::kInfo, "store_writes_resumed");
  return Status::Ok();
}

Status WriteGate::Resume() {
  if (!HasRoom()) return {Code::kNoSpace, "the disk is full"};
  if (events_->log_failed.load(std::memory_order_acquire) && !HoldsWrites()) {
    return StoppedForGood("the disk was full when a log was begun");
  }
  const rocksdb::Status status = db_->Resume();
  if (status.ok()) return Status::Ok();
  if (status.severity() >= rocksdb::Status::kFatalError) return StoppedForGood(status.ToString());
  return {Code::kNoSpace, "the disk is full: " + status.ToString()};
}

bool WriteGate::HasRoom() const {
  uint64_t free_bytes = 0;
  // A file system that cannot tell is simply tried.
  return !db_->GetEnv()->GetFreeSpace(db_->GetName(), &free_bytes).ok() || free_bytes >= kRoomBytesMin;
}

// Whether any buffer that is written to holds anything. Nothing changes that while writes are stopped.
bool WriteGate::HoldsWrites() const {
  uint64_t entries = 0;
  return db_->GetAggregatedIntProperty(rocksdb::DB::Properties::kNumEntriesActiveMemTable, &entries) && entries > 0;
}

}  // namespace lapse::store
