#include "engine/shard/reclaim/reclaimer.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/fail_point.h"
#include "base/log.h"
#include "base/thread_priority.h"
#include "engine/records/ids/families.h"
#include "engine/records/items/item_keys.h"
#include "engine/shard/reclaim/member_marker.h"

namespace lapse::engine {
namespace {

// If no file has more than this share dead, the files take at most 1.2 times the space of the live records.
constexpr double kDeadShareMin = 1.0 / 6;

// Replacing records hide at most half of what is below them, and RocksDB compacts such tables soon enough under heavy
// writes. A larger share means that the tables consist mostly of deletions.
constexpr double kDeletedShareBusy = 2.0 / 3;
// Members are small, and marking them scans all records, so it must not run too often.
constexpr double kDeadMembersBusy = 1.0 / 3;
// The threshold once many deletions are certain. The share is an estimate: a few deletions may have been of the largest
// records.
constexpr double kDeletedShareCertain = 1.0 / 100;

// Log bytes that are tolerated even if they exceed kDeadShareMin of the tables. More under load: a flush ends a write
// buffer before it is full, and small tables cost compactions.
constexpr uint64_t kLogBytesBusy = 32 << 20;
constexpr uint64_t kLogBytesQuiet = 1 << 20;
constexpr std::chrono::seconds kQuietAfter{1};

constinit FailPoint before_drop("reclaim.before_drop");
constinit FailPoint before_compact("reclaim.before_compact");

}  // namespace

// Thresholds from which dead space is worth the work.
struct Reclaimer::Worth {
  uint64_t log_bytes;
  double deleted_share;
  bool quiet;  // work not worth doing now never will be
};

Reclaimer::~Reclaimer() {
  Stop();
}

void Reclaimer::Start() {
  thread_ = std::thread([this] { Loop(); });
}

void Reclaimer::Stop() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  if (!thread_.joinable()) return;
  shard_->StopCompactions();
  thread_.join();
}

void Reclaimer::Note(PartitionId partition, Sequence bodies_dead_below) {
  {
    std::lock_guard lock(mutex_);
    Sequence& below = dead_below_[partition];
    below = std::max(below, bodies_dead_below);
    purged_ = true;
    ++purges_;
  }
  wake_.notify_all();
}

void Reclaimer::NoteDropped() {
  {
    std::lock_guard lock(mutex_);
    purged_ = true;
    ++purges_;
  }
  wake_.notify_all();
}

void Reclaimer::NoteReplaced(uint64_t bytes) {
  const uint64_t before = replaced_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  const bool much = before / kLogBytesQuiet != (before + bytes) / kLogBytesQuiet;
  if (!much) return;
  {
    std::lock_guard lock(mutex_);
    ++replaces_;
  }
  wake_.notify_all();
}

void Reclaimer::Loop() {
  YieldToRequests();
  std::unique_lock lock(mutex_);
  const auto woken = [this] { return stop_ || purged_; };
  while (true) {
    wake_.wait(lock, [&] { return woken() || !Settled(); });
    bool quiet = false;
    if (!woken()) {
      const uint64_t replaced = replaced_bytes_;
      const bool purged = wake_.wait_for(lock, kQuietAfter, woken);
      quiet = !purged && replaced_bytes_ == replaced;
      // Records that are replaced all the time are left for a quiet period.
      if (!purged && !quiet && purges_ == settled_purges_) continue;
    }
    if (stop_) return;
    lock.unlock();
    quiet ? RunQuietTurn() : RunTurn();
    lock.lock();
  }
}

bool Reclaimer::RunTurn() {
  const bool disk_is_full = shard_->Writable().code() == Code::kNoSpace;
  const uint64_t log_bytes = disk_is_full ? kLogBytesQuiet : kLogBytesBusy;
  Turn({.log_bytes = log_bytes, .deleted_share = kDeletedShareBusy, .quiet = false});
  std::lock_guard lock(mutex_);
  return purged_;
}

bool Reclaimer::RunQuietTurn() {
  std::unique_lock lock(mutex_);
  const double deleted_share = much_replaced_ ? kDeletedShareCertain : kDeadShareMin;
  lock.unlock();
  Turn({.log_bytes = kLogBytesQuiet, .deleted_share = deleted_share, .quiet = true});
  lock.lock();
  const bool more = purged_ || !Settled();
  if (!more) much_replaced_ = false;
  return more;
}

void Reclaimer::Turn(const Worth& worth) {
  std::map<PartitionId, Sequence> dead_below;
  {
    std::lock_guard lock(mutex_);
    dead_below.swap(dead_below_);
    purged_ = false;
  }
  for (const auto& [partition, below] : dead_below) DropBodies(partition, below);
  if (marker_ != nullptr) marker_->Run(worth.quiet ? kDeadShareMin : kDeadMembersBusy);
  const store::Reclaimed reclaimed = ReclaimTables(worth);
  const bool more = reclaimed == store::Reclaimed::kSome || Flush(worth);
  std::unique_lock lock(mutex_);
  purged_ |= more;
  const bool come_by_again = reclaimed == store::Reclaimed::kLater || (more && worth.quiet);
  if (come_by_again) ++purges_;
  lock.unlock();
  if (worth.quiet && !more && !come_by_again) shard_->RemoveUnused();
}

// Recently written dead records, and deletions of records in tables, are in the log and in write buffers. No compaction
// reaches them there, so an idle server would keep them for ever.
bool Reclaimer::Flush(const Worth& worth) {
  std::unique_lock lock(mutex_);
  if (Settled()) return false;
  const uint64_t purges = purges_, replaces = replaces_;
  const bool purged = purges != settled_purges_;
  lock.unlock();
  const uint64_t replaced = replaced_bytes_;
  const store::ShardStats stats = shard_->Stats();
  const auto beside_tables = static_cast<uint64_t>(static_cast<double>(stats.table_bytes) * kDeadShareMin);
  const uint64_t much = std::max(worth.log_bytes, beside_tables);
  const bool much_replaced = worth.quiet && replaced > much;
  const bool worth_it = much_replaced || (purged && stats.buffered_bytes > much);
  const Status flushed = worth_it ? shard_->Flush() : Status::Ok();
  if (!flushed.ok()) Log(LogLevel::kWarn, "the log could not be emptied", {{"error", flushed.ToString()}});
  if (worth_it && flushed.ok()) replaced_bytes_ -= replaced;
  lock.lock();
  much_replaced_ |= much_replaced;
  if (worth_it || worth.quiet) {
    settled_purges_ = purges;
    settled_replaces_ = replaces;
  }
  return worth_it && flushed.ok();
}

// Bodies are written once and lie in the order of their sequence, so no older version below them could reappear.
void Reclaimer::DropBodies(PartitionId partition, Sequence below) {
  Status dropped = before_drop.Check();
  if (dropped.ok()) {
    dropped = shard_->DropFiles(kBodyFamily, BodyBound(partition, BodyClass::kInheriting, 0),
                                BodyBound(partition, BodyClass::kInheriting, below));
  }
  if (!dropped.ok()) Log(LogLevel::kWarn, "files of dead items could not be dropped", {{"error", dropped.ToString()}});
}

store::Reclaimed Reclaimer::ReclaimTables(const Worth& worth) {
  auto all = store::Reclaimed::kNothing;
  if (!before_compact.Check().ok()) return all;
  for (store::FamilyId family : {kBodyFamily, kHeadFamily, kRecordFamily, kMemberFamily, kUniqueFamily, kIndexFamily,
                                 kQueueFamily, kLogFamily, kCohortFamily}) {
    const Result<store::Reclaimed> reclaimed = shard_->Reclaim(family, {kDeadShareMin, worth.deleted_share});
    if (!reclaimed.ok()) {
      if (reclaimed.status().code() == Code::kUnavailable) continue;
      Log(LogLevel::kWarn, "space of dead items could not be reclaimed", {{"error", reclaimed.status().ToString()}});
    } else if (*reclaimed == store::Reclaimed::kSome) {
      return *reclaimed;
    } else if (*reclaimed == store::Reclaimed::kLater) {
      all = *reclaimed;
    }
  }
  return all;
}

}  // namespace lapse::engine
