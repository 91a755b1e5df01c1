#include "engine/expiry/reclaimer.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/fail_point.h"
#include "base/log.h"
#include "base/thread_priority.h"
#include "engine/keys.h"

namespace lapse::engine {
namespace {

// With no more than this dead in any file, all of them are within 1.2 of what lives.
constexpr double kDeadShareMin = 1.0 / 6;

// What the log may hold beside tables of which it is less than kDeadShareMin. The larger one while items are purged: a
// flush ends a write buffer before it is full, and small tables cost compactions.
constexpr uint64_t kBusyLogBytesMax = 32 << 20;
constexpr uint64_t kQuietLogBytesMax = 1 << 20;
constexpr std::chrono::seconds kQuietAfter{1};

constinit FailPoint before_drop("reclaim.before_drop");
constinit FailPoint before_compact("reclaim.before_compact");

}  // namespace

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

void Reclaimer::Note(ContainerId container, uint32_t stream, uint64_t bodies_dead_below) {
  {
    std::lock_guard lock(mutex_);
    uint64_t& below = dead_below_[{container, stream}];
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

void Reclaimer::Loop() {
  YieldToRequests();
  std::unique_lock lock(mutex_);
  while (true) {
    auto woken = [this] { return stop_ || purged_; };
    bool quiet = false;
    if (purges_ != settled_purges_) {
      quiet = !wake_.wait_for(lock, kQuietAfter, woken);
    } else {
      wake_.wait(lock, woken);
    }
    if (stop_) return;
    lock.unlock();
    quiet ? RunQuietTurn() : RunTurn();
    lock.lock();
  }
}

bool Reclaimer::RunTurn() {
  const bool disk_is_full = shard_->Writable().code() == Code::kNoSpace;
  Turn(disk_is_full ? kQuietLogBytesMax : kBusyLogBytesMax, false);
  std::lock_guard lock(mutex_);
  return purged_;
}

bool Reclaimer::RunQuietTurn() {
  Turn(kQuietLogBytesMax, true);
  std::lock_guard lock(mutex_);
  return purged_ || purges_ != settled_purges_;
}

void Reclaimer::Turn(uint64_t log_bytes_max, bool last_call) {
  std::map<PartitionId, uint64_t> dead_below;
  {
    std::lock_guard lock(mutex_);
    dead_below.swap(dead_below_);
    purged_ = false;
  }
  for (const auto& [partition, below] : dead_below) DropBodies(partition, below);
  const store::Reclaimed reclaimed = ReclaimTables();
  const bool more = reclaimed == store::Reclaimed::kSome || Flush(log_bytes_max, last_call);
  std::lock_guard lock(mutex_);
  purged_ |= more;
  if (reclaimed == store::Reclaimed::kLater) ++purges_;  // to come by again
}

// Dead records that were written not long ago are in the log and in write buffers, where no compaction comes by, and a
// server that is idle would keep them for ever.
bool Reclaimer::Flush(uint64_t log_bytes_max, bool last_call) {
  std::unique_lock lock(mutex_);
  const uint64_t purges = purges_;
  if (purges == settled_purges_) return false;
  lock.unlock();
  const store::ShardStats stats = shard_->Stats();
  const auto beside_tables = static_cast<uint64_t>(static_cast<double>(stats.table_bytes) * kDeadShareMin);
  const bool worth_it = stats.buffered_bytes > std::max(log_bytes_max, beside_tables);
  if (worth_it) {
    Status flushed = shard_->Flush();
    if (!flushed.ok()) Log(LogLevel::kWarn, "the log could not be emptied", {{"error", flushed.ToString()}});
  }
  lock.lock();
  if (worth_it || last_call) settled_purges_ = purges;
  return worth_it;
}

// Bodies are written once and lie in the order of their LSN: there is nothing older below them that could come back.
void Reclaimer::DropBodies(PartitionId partition, uint64_t below) {
  const auto [container, stream] = partition;
  Status dropped = before_drop.Check();
  if (dropped.ok()) {
    dropped = shard_->DropFiles(kBodyFamily, BodyBound(container, stream, BodyClass::kInheriting, 0),
                                BodyBound(container, stream, BodyClass::kInheriting, below));
  }
  if (!dropped.ok()) Log(LogLevel::kWarn, "files of dead items could not be dropped", {{"error", dropped.ToString()}});
}

store::Reclaimed Reclaimer::ReclaimTables() {
  auto all = store::Reclaimed::kNothing;
  if (!before_compact.Check().ok()) return all;
  for (store::FamilyId family : {kBodyFamily, kHeadFamily, kQueueFamily, kLogFamily, kCohortFamily}) {
    const Result<store::Reclaimed> reclaimed = shard_->Reclaim(family, kDeadShareMin);
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
