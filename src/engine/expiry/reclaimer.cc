#include "engine/expiry/reclaimer.h"

#include <algorithm>
#include <utility>

#include "base/fail_point.h"
#include "base/log.h"
#include "engine/keys.h"

namespace lapse::engine {
namespace {

// With no more than this dead in any file, all of them are within 1.2 of what lives.
constexpr double kDeadShareMin = 1.0 / 6;

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
  }
  wake_.notify_all();
}

void Reclaimer::Loop() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stop_ || purged_; });
    if (stop_) return;
    lock.unlock();
    RunTurn();
    lock.lock();
  }
}

bool Reclaimer::RunTurn() {
  std::map<PartitionId, uint64_t> dead_below;
  {
    std::lock_guard lock(mutex_);
    dead_below.swap(dead_below_);
    purged_ = false;
  }
  for (const auto& [partition, below] : dead_below) DropBodies(partition, below);
  const bool more = CompactOne();
  std::lock_guard lock(mutex_);
  purged_ |= more;
  return purged_;
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

bool Reclaimer::CompactOne() {
  if (!before_compact.Check().ok()) return false;
  for (store::FamilyId family : {kBodyFamily, kHeadFamily, kQueueFamily}) {
    Result<bool> compacted = shard_->Reclaim(family, kDeadShareMin);
    if (compacted.ok() && *compacted) return true;
    if (!compacted.ok() && compacted.status().code() != Code::kUnavailable) {
      Log(LogLevel::kWarn, "space of dead items could not be reclaimed", {{"error", compacted.status().ToString()}});
    }
  }
  return false;
}

}  // namespace lapse::engine
