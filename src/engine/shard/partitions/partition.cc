#include "engine/shard/partitions/partition.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/fail_point.h"
#include "engine/partition/commit/followers.h"
#include "engine/partition/index/index_build_step.h"
#include "engine/partition/view/stored_tally.h"

namespace lapse::engine {
namespace {

// Writes in one group: enough to share a sync widely, few enough that the first writer does not wait long.
constexpr size_t kGroupWritesMax = 512;

constinit FailPoint sweep_published("sweep.published");

// A group and its transaction. Destroying it takes a while, so it is destroyed after its writers were answered.
struct LedGroup {
  LedGroup(std::vector<PendingWrite> writes, Transaction commit)
      : group(std::move(writes)), transaction(std::move(commit)) {}

  WriteGroup group;
  Transaction transaction;
};

}  // namespace

Partition::Partition(PartitionFacts facts, std::shared_ptr<ContainerContext> container, const PartitionStart& start,
                     std::shared_ptr<SpareUnits> spare_units, const PartitionHome& home)
    : PartitionState(std::move(facts), home.store, start, home.known_lists, home.steady),
      container_(std::move(container)),
      spare_units_(std::move(spare_units)),
      home_(home),
      key_sizes_(home.commit.logical_partition_bytes_max) {
  // What the store holds at the start is durable.
  home_.dead_space->AddPartition(id(), start.tally, start.released_bodies, container_->shared_pages());
}

Partition::~Partition() = default;

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
  home_.leaders->Run(Leader());
}

// The returned function keeps the partition alive.
std::function<void()> Partition::Leader() {
  return [self = shared_from_this()] { self->Lead(); };
}

Transaction Partition::NewTransaction() const {
  return {*this, home_.cache, Followers()};
}

// The caller has passed the gate, so no policy change is under way, and state and floors belong together.
Result<ReadMoment> Partition::MomentOf(const HeldSecond& second) const {
  std::shared_ptr<const ContainerState> state = container_->state();
  ReadMoment moment(second.now_ms(), std::move(state), floors());
  LAPSE_RETURN_IF_ERROR(moment.Check());
  return moment;
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
  auto led = std::make_shared<LedGroup>(TakeGroup(), NewTransaction());
  led->group.Preload(*container_->state(), &led->transaction);
  const bool keys_counted = CountKeys(led->group);
  Result<PartitionTally> committed = Status(Code::kInternal, "no commit");
  std::optional<LedGroup> reads;
  Result<PartitionTally> seen = Status(Code::kInternal, "no reads");
  bool more = false;
  {
    // Held until the partition knows what was committed: a policy change asks for its last sequence.
    CommitGate::Pass pass(&container_->gate());
    committed = Commit(&led->group, &led->transaction, keys_counted);
    PutBack(led->group.TakeRest());
    // A full disk refuses the batch, so nothing has changed. Operations that only read are still served.
    if (committed.status().code() == Code::kNoSpace) {
      reads.emplace(led->group.TakeReads(), NewTransaction());
      seen = Commit(&reads->group, &reads->transaction, false);
      PutBack(reads->group.TakeRest());
    }
    more = Finish(committed);
  }
  if (reads.has_value()) reads->group.Answer(seen);
  if (!more) return led->group.Answer(committed);
  // Other writes wait for the disk. This thread continues with them, and another one answers the finished ones.
  home_.leaders->Run([led = std::move(led), committed = std::move(committed)] { led->group.Answer(committed); });
  home_.leaders->RunNext(Leader());
}

bool Partition::CountKeys(const WriteGroup& group) {
  if (!key_sizes_.Concerns(stored_bytes())) return false;
  const PartitionTally before = tally();
  group.ForEachGrowth(id().container,
                      [&](std::string_view key, size_t bytes) { key_sizes_.Expect(key, bytes, before); });
  key_sizes_.CountExpected(store(), before);
  return true;
}

Result<PartitionTally> Partition::Commit(WriteGroup* group, Transaction* transaction, bool keys_counted) {
  LAPSE_ASSIGN_OR_RETURN(PartitionTally tally, CertainTally());
  const HeldSecond second(home_.clock, mutable_second_hold());
  LAPSE_ASSIGN_OR_RETURN(ReadMoment moment, MomentOf(second));
  const Sequence last_before = tally.last_sequence;
  const ErasedKeysPtr erased_before = tally.erased;
  transaction->Begin(std::move(moment), std::move(tally), keys_counted ? &key_sizes_ : nullptr);
  group->Apply(home_.commit.group_bytes_max, transaction);
  if (transaction->empty()) return transaction->tally();
  if (transaction->tally().erased != erased_before) {
    mutable_shown_erasures()->PublishUncertain(transaction->tally().erased, last_before);
  }
  LAPSE_RETURN_IF_ERROR(transaction->Write(home_.commit.durability, store::Room::kOrdinary));
  transaction->NoteGrowth(&key_sizes_);
  home_.dead_space->Replaced(transaction->replaced_bytes());
  return transaction->tally();
}

void Partition::LeadSweep(const PendingSweep& sweep) {
  SweepStep step(NewTransaction(),
                 {.batch_bytes_max = home_.commit.group_bytes_max, .clock_was_reset = home_.commit.clock_was_reset});
  Result<PartitionTally> swept = Status(Code::kInternal, "no sweep");
  bool more = false;
  {
    CommitGate::Pass pass(&container_->gate());
    swept = Sweep(sweep.limit, &step);
    more = Finish(swept);
  }
  sweep.done(swept.ok() ? Result<SweepOutcome>(step.outcome()) : swept.status());
  if (more) home_.leaders->RunNext(Leader());
}

Result<PartitionTally> Partition::Sweep(const SweepLimit& limit, SweepStep* step) {
  LAPSE_ASSIGN_OR_RETURN(PartitionTally tally, CertainTally());
  const HeldSecond second(home_.clock, mutable_second_hold());
  LAPSE_ASSIGN_OR_RETURN(ReadMoment moment, MomentOf(second));
  step->Begin(std::move(moment), std::move(tally));
  LAPSE_ASSIGN_OR_RETURN(PartitionTally swept, step->Commit(limit, &sweep_position_));
  if (!step->changed()) return swept;
  step->NoteGrowth(&key_sizes_);
  home_.dead_space->Replaced(step->replaced_bytes());
  // Compactions may drop what is under the new floors once no page shows it any more.
  home_.dead_space->Purged(id(), swept, step->outcome().released.floors, step->outcome().released.below,
                           container_->shared_pages());
  LAPSE_RETURN_IF_ERROR(sweep_published.Check());
  return swept;
}

void Partition::LeadIndexBuild(const PendingIndexBuild& build) {
  IndexBuildStep step(NewTransaction(), home_.commit.durability, home_.commit.group_bytes_max);
  Result<PartitionTally> built = Status(Code::kInternal, "no step");
  bool more = false;
  {
    CommitGate::Pass pass(&container_->gate());
    built = BuildIndex(build.limit, &step);
    more = Finish(built);
  }
  build.done(built.ok() ? Result<IndexBuildOutcome>(step.outcome()) : built.status());
  if (more) home_.leaders->RunNext(Leader());
}

Result<PartitionTally> Partition::BuildIndex(const IndexBuildLimit& limit, IndexBuildStep* step) {
  LAPSE_ASSIGN_OR_RETURN(PartitionTally tally, CertainTally());
  const HeldSecond second(home_.clock, mutable_second_hold());
  LAPSE_ASSIGN_OR_RETURN(ReadMoment moment, MomentOf(second));
  step->Begin(std::move(moment), std::move(tally));
  return step->Commit(limit);
}

Result<PartitionTally> Partition::CertainTally() const {
  if (!tally_suspect_.load(std::memory_order_acquire)) return tally();
  return LoadTally(store(), id());
}

// After a failure only the store knows whether the commit counts.
bool Partition::Finish(const Result<PartitionTally>& committed) {
  Result<PartitionTally> stored = committed.ok() ? committed : LoadTally(store(), id());
  tally_suspect_ = !stored.ok();
  if (!committed.ok()) key_sizes_.Clear();
  if (stored.ok()) {
    if (stored->last_sequence != last_sequence()) AskForSweep();
    PublishTally(*stored);
  }
  std::lock_guard lock(mutex_);
  leading_ = !queue_.empty() || sweep_.has_value() || index_build_.has_value();
  return leading_;
}

void Partition::AskForSweep() {
  if (!sweep_asked_.exchange(true)) home_.sweep_inbox->Put(weak_from_this());
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
  while (count < queue_.size() && count < kGroupWritesMax && bytes < home_.commit.group_bytes_max) {
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
