#include "engine/partition.h"

#include <algorithm>
#include <utility>

#include "engine/commit_group.h"
#include "engine/engine_parts.h"

namespace lapse::engine {
namespace {

// What one leader takes at once: enough to share a sync widely, little enough that the first waiter is not kept long.
constexpr size_t kGroupWritesMax = 512;
constexpr size_t kGroupBytesMax = 8 * 1024 * 1024;

}  // namespace

Partition::Partition(Container* container, uint32_t stream, EpkRange range, const PartitionTally& tally,
                     EngineParts* parts)
    : container_(container),
      stream_(stream),
      range_(std::move(range)),
      parts_(parts),
      last_lsn_(tally.last_lsn),
      tally_(tally) {}

Partition::~Partition() = default;

PartitionTally Partition::tally() const {
  std::lock_guard lock(mutex_);
  return tally_;
}

void Partition::Write(ItemWrite write, ItemWriteDone done) {
  {
    std::lock_guard lock(mutex_);
    queue_.push_back({std::move(write), std::move(done)});
    if (leading_) return;
    leading_ = true;
  }
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
  std::vector<PendingWrite> pending = TakeGroup();
  CommitGroup group(container_, stream_, parts_);
  Result<PartitionTally> committed = group.Commit(pending, tally_suspect_ ? std::nullopt : std::optional(tally()));
  // After a failure only the store knows whether the group counts.
  Result<PartitionTally> stored = committed.ok() ? committed : group.StoredTally();
  tally_suspect_ = !stored.ok();
  // The next group is on its way to the disk while the writers of this one are answered.
  if (Finish(stored)) CallLeader();
  group.Answer(pending, committed);
}

bool Partition::Finish(const Result<PartitionTally>& stored) {
  std::lock_guard lock(mutex_);
  if (stored.ok()) {
    tally_ = *stored;
    last_lsn_.store(tally_.last_lsn, std::memory_order_release);
  }
  leading_ = !queue_.empty();
  return leading_;
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
