#include "engine/shard/partitions/partition.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/fail_point.h"
#include "engine/catalog/containers/container.h"
#include "engine/partition/index/index_build_step.h"
#include "engine/partition/learned/index_memory.h"
#include "engine/partition/view/open_pages.h"
#include "engine/shard/partitions/leaders.h"
#include "engine/shard/partitions/sweep_inbox.h"
#include "engine/shard/purge/purge_filter.h"
#include "engine/shard/reclaim/member_marker.h"
#include "engine/shard/reclaim/reclaimer.h"

namespace lapse::engine {
namespace {

// What one leader takes at once: enough to share a sync widely, little enough that the first waiter is not kept long.
constexpr size_t kGroupWritesMax = 512;

constinit FailPoint sweep_published("sweep.published");

// A group and the commit of it. To take it down takes a while, too: it goes when its writers were answered.
struct LedGroup {
  LedGroup(std::vector<PendingWrite> writes, Transaction commit)
      : group(std::move(writes)), transaction(std::move(commit)) {}

  WriteGroup group;
  Transaction transaction;
};

}  // namespace

Partition::Partition(Container* container, PartitionNumber number, EpkRange range, const PartitionTally& tally,
                     const ttl::Floors& released_bodies, Budget budget, const CommitParts& parts)
    : container_(container),
      id_{container->id(), number},
      range_(std::move(range)),
      parts_(parts),
      shard_(parts.shards->Of(id_)),
      budget_(std::move(budget)),
      last_lsn_(tally.last_lsn),
      last_sequence_(tally.last_sequence),
      purged_floors_(std::make_shared<const ttl::Floors>(tally.purged.floors)),
      index_memory_(std::make_unique<IndexMemory>(parts.known_lists, parts.steady)),
      key_sizes_(parts.logical_partition_bytes_max),
      tally_(tally) {
  shown_erasures_.Publish(tally.erased);
  // What the store holds at the start is durable.
  parts_.purge_filter->Add(id_, tally, released_bodies);
  parts_.marker->Note(id_, tally);
}

Partition::~Partition() = default;

PartitionTally Partition::tally() const {
  std::lock_guard lock(mutex_);
  return tally_;
}

void Partition::Write(PendingWrite write) {
  std::unique_lock lock(mutex_);
  queue_.push_back(std::move(write));
  CallLeaderUnlessLed(std::move(lock));
}

void Partition::Write(std::vector<PendingWrite> writes) {
  std::unique_lock lock(mutex_);
  queue_.insert(queue_.end(), std::make_move_iterator(writes.begin()), std::make_move_iterator(writes.end()));
  CallLeaderUnlessLed(std::move(lock));
}

void Partition::QueueSweep(const SweepLimit& limit, SweepDone done) {
  std::unique_lock lock(mutex_);
  sweep_ = PendingSweep{limit, std::move(done)};
  CallLeaderUnlessLed(std::move(lock));
}

void Partition::QueueIndexBuild(const IndexBuildLimit& limit, IndexBuildDone done) {
  std::unique_lock lock(mutex_);
  index_build_ = PendingIndexBuild{limit, std::move(done)};
  CallLeaderUnlessLed(std::move(lock));
}

void Partition::CallLeaderUnlessLed(std::unique_lock<std::mutex> lock) {
  if (leading_) return;
  leading_ = true;
  lock.unlock();
  CallLeader();
}

void Partition::CallLeader() {
  parts_.leaders->Run(Leader());
}

// It keeps the container, and so this partition, alive.
std::function<void()> Partition::Leader() {
  return [this, container = container_->shared_from_this()] { Lead(); };
}

void Partition::Lead() {
  if (auto sweep = TakeSweep()) {
    LeadSweep(*sweep);
  } else if (auto build = TakeIndexBuild()) {
    LeadIndexBuild(*build);
  } else {
    LeadGroup();
  }
}

void Partition::LeadGroup() {
  auto led = std::make_shared<LedGroup>(TakeGroup(), Transaction(id_, shard_, parts_.cache, index_memory()));
  led->group.Preload(*container_->state(), &led->transaction);
  const bool keys_counted = CountKeys(led->group);
  Result<PartitionTally> committed = Status(Code::kInternal, "no commit");
  std::optional<LedGroup> reads;
  Result<PartitionTally> seen = Status(Code::kInternal, "no reads");
  bool more = false;
  {
    // Until the partition knows what was committed: a change of policy asks for its last sequence.
    CommitGate::Pass pass(&container_->commit_gate());
    committed = Commit(&led->group, &led->transaction, keys_counted);
    PutBack(led->group.TakeRest());
    // A full disk takes nothing, and nothing has changed: what only reads goes on.
    if (committed.status().code() == Code::kNoSpace) {
      reads.emplace(led->group.TakeReads(), Transaction(id_, shard_, parts_.cache, index_memory()));
      seen = Commit(&reads->group, &reads->transaction, false);
      PutBack(reads->group.TakeRest());
    }
    more = Finish(committed);
  }
  if (reads.has_value()) reads->group.Answer(seen);
  if (!more) return led->group.Answer(committed);
  // Others wait for the disk. This thread goes on with them, and another one answers those that are done.
  parts_.leaders->Run([led = std::move(led), committed = std::move(committed)] { led->group.Answer(committed); });
  parts_.leaders->RunNext(Leader());
}

bool Partition::CountKeys(const WriteGroup& group) {
  {
    std::lock_guard lock(mutex_);
    if (!key_sizes_.Concerns(tally_.stored.bytes)) return false;
  }
  const PartitionTally before = tally();
  group.ForEachGrowth(id_.container,
                      [&](std::string_view key, size_t bytes) { key_sizes_.Expect(key, bytes, before); });
  key_sizes_.CountExpected(shard_, before);
  return true;
}

Result<PartitionTally> Partition::Commit(WriteGroup* group, Transaction* transaction, bool keys_counted) {
  LAPSE_ASSIGN_OR_RETURN(PartitionTally tally, CertainTally());
  HeldSecond moment(parts_.clock, &second_hold_);
  std::shared_ptr<const ContainerState> state = container_->state();
  LAPSE_RETURN_IF_ERROR(state->Check());
  const Sequence last_before = tally.last_sequence;
  const ErasedKeysPtr erased_before = tally.erased;
  transaction->Begin(moment.now_ms(), std::move(state), std::move(tally), keys_counted ? &key_sizes_ : nullptr);
  group->Apply(parts_.group_bytes_max, transaction);
  if (transaction->empty()) return transaction->tally();
  if (transaction->tally().erased != erased_before) {
    shown_erasures_.PublishUncertain(transaction->tally().erased, last_before);
  }
  LAPSE_RETURN_IF_ERROR(transaction->Write(parts_.durability, store::Room::kOrdinary));
  transaction->NoteGrowth(&key_sizes_);
  if (transaction->replaced_bytes() > 0) parts_.reclaimer->NoteReplaced(transaction->replaced_bytes());
  return transaction->tally();
}

void Partition::LeadSweep(const PendingSweep& sweep) {
  SweepStep step(id_, parts_, index_memory());
  Result<PartitionTally> swept = Status(Code::kInternal, "no sweep");
  bool more = false;
  {
    CommitGate::Pass pass(&container_->commit_gate());
    swept = Sweep(sweep.limit, &step);
    more = Finish(swept);
  }
  sweep.done(swept.ok() ? Result<SweepOutcome>(step.outcome()) : swept.status());
  if (more) parts_.leaders->RunNext(Leader());
}

Result<PartitionTally> Partition::Sweep(const SweepLimit& limit, SweepStep* step) {
  LAPSE_ASSIGN_OR_RETURN(PartitionTally tally, CertainTally());
  HeldSecond moment(parts_.clock, &second_hold_);
  std::shared_ptr<const ContainerState> state = container_->state();
  LAPSE_RETURN_IF_ERROR(state->Check());
  step->Begin(moment.now_ms(), std::move(state), std::move(tally));
  LAPSE_ASSIGN_OR_RETURN(PartitionTally swept, step->Commit(limit, &sweep_position_));
  if (!step->changed()) return swept;
  step->NoteGrowth(&key_sizes_);
  if (step->replaced_bytes() > 0) parts_.reclaimer->NoteReplaced(step->replaced_bytes());
  // Compactions may take away what is under the new floors once no page shows it any more.
  parts_.pages->AfterThese([parts = parts_, id = id_, swept, released = step->outcome().released] {
    parts.purge_filter->Raise(id, swept, released.floors);
    parts.marker->Note(id, swept);
    parts.reclaimer->Note(id, released.below);
  });
  LAPSE_RETURN_IF_ERROR(sweep_published.Check());
  return swept;
}

void Partition::LeadIndexBuild(const PendingIndexBuild& build) {
  IndexBuildStep step(id_, parts_, index_memory());
  Result<PartitionTally> built = Status(Code::kInternal, "no step");
  bool more = false;
  {
    CommitGate::Pass pass(&container_->commit_gate());
    built = BuildIndex(build.limit, &step);
    more = Finish(built);
  }
  build.done(built.ok() ? Result<IndexBuildOutcome>(step.outcome()) : built.status());
  if (more) parts_.leaders->RunNext(Leader());
}

Result<PartitionTally> Partition::BuildIndex(const IndexBuildLimit& limit, IndexBuildStep* step) {
  LAPSE_ASSIGN_OR_RETURN(PartitionTally tally, CertainTally());
  HeldSecond moment(parts_.clock, &second_hold_);
  std::shared_ptr<const ContainerState> state = container_->state();
  LAPSE_RETURN_IF_ERROR(state->Check());
  step->Begin(moment.now_ms(), std::move(state), std::move(tally));
  return step->Commit(limit);
}

Result<PartitionTally> Partition::CertainTally() const {
  if (!tally_suspect_.load(std::memory_order_acquire)) return tally();
  return LoadTally(shard_, id_);
}

// After a failure only the store knows whether the commit counts.
bool Partition::Finish(const Result<PartitionTally>& committed) {
  Result<PartitionTally> stored = committed.ok() ? committed : LoadTally(shard_, id_);
  tally_suspect_ = !stored.ok();
  if (!committed.ok()) key_sizes_.Clear();
  std::lock_guard lock(mutex_);
  if (stored.ok()) {
    if (stored->purged.floors != tally_.purged.floors) {
      purged_floors_.store(std::make_shared<const ttl::Floors>(stored->purged.floors), std::memory_order_release);
    }
    shown_erasures_.Publish(stored->erased);
    if (stored->last_sequence != tally_.last_sequence) AskForSweep();
    tally_ = *std::move(stored);
    last_sequence_.store(tally_.last_sequence, std::memory_order_release);
    last_lsn_.store(tally_.last_lsn, std::memory_order_release);
  }
  leading_ = !queue_.empty() || sweep_.has_value() || index_build_.has_value();
  return leading_;
}

void Partition::AskForSweep() {
  if (!sweep_asked_.exchange(true)) parts_.sweep_inbox->Put({container_->weak_from_this(), this});
}

std::optional<PendingSweep> Partition::TakeSweep() {
  std::lock_guard lock(mutex_);
  return std::exchange(sweep_, std::nullopt);
}

std::optional<PendingIndexBuild> Partition::TakeIndexBuild() {
  std::lock_guard lock(mutex_);
  return std::exchange(index_build_, std::nullopt);
}

std::vector<PendingWrite> Partition::TakeGroup() {
  std::lock_guard lock(mutex_);
  size_t count = 0;
  size_t bytes = 0;
  while (count < queue_.size() && count < kGroupWritesMax && bytes < parts_.group_bytes_max) {
    bytes += queue_[count++].bytes();
  }
  std::vector<PendingWrite> group(std::make_move_iterator(queue_.begin()),
                                  std::make_move_iterator(queue_.begin() + static_cast<ptrdiff_t>(count)));
  queue_.erase(queue_.begin(), queue_.begin() + static_cast<ptrdiff_t>(count));
  return group;
}

void Partition::PutBack(std::vector<PendingWrite> writes) {
  if (writes.empty()) return;
  std::lock_guard lock(mutex_);
  queue_.insert(queue_.begin(), std::make_move_iterator(writes.begin()), std::make_move_iterator(writes.end()));
}

}  // namespace lapse::engine
