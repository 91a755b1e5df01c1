#include "engine/commit/partition.h"

#include <algorithm>
#include <utility>

#include "base/fail_point.h"
#include "engine/commit/commit_group.h"
#include "engine/engine_parts.h"
#include "engine/expiry/purge_filter.h"

namespace lapse::engine {
namespace {

// What one leader takes at once: enough to share a sync widely, little enough that the first waiter is not kept long.
constexpr size_t kGroupWritesMax = 512;
constexpr size_t kGroupBytesMax = 8 * 1024 * 1024;

constinit FailPoint sweep_published("sweep.published");

}  // namespace

Partition::Partition(Container* container, uint32_t stream, EpkRange range, const PartitionTally& tally,
                     EngineParts* parts)
    : container_(container),
      stream_(stream),
      range_(std::move(range)),
      parts_(parts),
      budget_(container->shared_pool() != nullptr ? Budget(container->shared_pool())
                                                  : Budget(*parts->options.steady, 0)),
      last_lsn_(tally.last_lsn),
      purged_floors_(std::make_shared<const ttl::Floors>(tally.purged.floors)),
      tally_(tally) {
  // What the store holds at the start is durable.
  parts_->purge_filter->Publish(container->id(), stream, tally);
}

Partition::~Partition() = default;

PartitionTally Partition::tally() const {
  std::lock_guard lock(mutex_);
  return tally_;
}

Result<uint64_t> Partition::LastLsnForCertain() const {
  if (!tally_suspect_.load(std::memory_order_acquire)) return last_lsn();
  LAPSE_ASSIGN_OR_RETURN(const PartitionTally certain, CertainTally());
  return certain.last_lsn;
}

void Partition::Write(ItemWrite write, ItemWriteDone done) {
  std::unique_lock lock(mutex_);
  queue_.push_back({std::move(write), std::move(done)});
  CallLeaderUnlessLed(std::move(lock));
}

void Partition::Sweep(const SweepLimit& limit, SweepDone done) {
  std::unique_lock lock(mutex_);
  sweep_ = PendingSweep{limit, std::move(done)};
  CallLeaderUnlessLed(std::move(lock));
}

void Partition::CallLeaderUnlessLed(std::unique_lock<std::mutex> lock) {
  if (leading_) return;
  leading_ = true;
  lock.unlock();
  CallLeader();
}

void Partition::CallLeader() {
  parts_->leaders.Begin();
  // The leader keeps the container, and so this partition, alive.
  parts_->commits->Run([this, container = container_->shared_from_this()]() mutable {
    EngineParts* parts = parts_;
    Lead();
    container.reset();
    parts->leaders.End();
  });
}

void Partition::Lead() {
  if (auto sweep = TakeSweep()) {
    LeadSweep(*sweep);
  } else {
    LeadGroup();
  }
}

void Partition::LeadGroup() {
  std::vector<PendingWrite> pending = TakeGroup();
  CommitGroup group(container_, stream_, parts_);
  Result<PartitionTally> committed = CertainTally();
  if (committed.ok()) committed = group.Commit(pending, *std::move(committed));
  // The next group is on its way to the disk while the writers of this one are answered.
  if (Finish(committed)) CallLeader();
  group.Answer(pending, committed);
}

void Partition::LeadSweep(const PendingSweep& sweep) {
  SweepStep step(container_, stream_, parts_);
  Result<PartitionTally> swept = CertainTally();
  if (swept.ok()) swept = step.Commit(sweep.limit, *std::move(swept), &sweep_position_);
  if (swept.ok()) {
    if (Status failed = sweep_published.Check(); !failed.ok()) swept = std::move(failed);
  }
  if (Finish(swept)) CallLeader();
  sweep.done(swept.ok() ? Result<SweepOutcome>(step.outcome()) : swept.status());
}

Result<PartitionTally> Partition::CertainTally() const {
  if (!tally_suspect_.load(std::memory_order_acquire)) return tally();
  return LoadTally(parts_->shard, container_->id(), stream_);
}

// After a failure only the store knows whether the commit counts.
bool Partition::Finish(const Result<PartitionTally>& committed) {
  Result<PartitionTally> stored = committed.ok() ? committed : LoadTally(parts_->shard, container_->id(), stream_);
  tally_suspect_ = !stored.ok();
  std::lock_guard lock(mutex_);
  if (stored.ok()) {
    if (stored->purged.floors != tally_.purged.floors) {
      purged_floors_.store(std::make_shared<const ttl::Floors>(stored->purged.floors), std::memory_order_release);
    }
    tally_ = *std::move(stored);
    last_lsn_.store(tally_.last_lsn, std::memory_order_release);
  }
  leading_ = !queue_.empty() || sweep_.has_value();
  return leading_;
}

std::optional<PendingSweep> Partition::TakeSweep() {
  std::lock_guard lock(mutex_);
  return std::exchange(sweep_, std::nullopt);
}

std::vector<PendingWrite> Partition::TakeGroup() {
  std::lock_guard lock(mutex_);
  size_t count = 0;
  size_t bytes = 0;
  while (count < queue_.size() && count < kGroupWritesMax && bytes < kGroupBytesMax) {
    bytes += queue_[count++].write.document.size();
  }
  std::vector<PendingWrite> group(std::make_move_iterator(queue_.begin()),
                                  std::make_move_iterator(queue_.begin() + static_cast<ptrdiff_t>(count)));
  queue_.erase(queue_.begin(), queue_.begin() + static_cast<ptrdiff_t>(count));
  return group;
}

}  // namespace lapse::engine
