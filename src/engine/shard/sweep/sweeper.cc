#include "engine/shard/sweep/sweeper.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <utility>

#include "base/log.h"
#include "engine/records/prices/prices.h"

namespace lapse::engine {
namespace {

// How soon newly expired items are noticed. No reader waits for it: readers judge expiry themselves.
constexpr std::chrono::milliseconds kIdlePause{100};

// Time that a turn may take before it pauses, so that many small steps need not be many turns.
constexpr int64_t kTurn_ns = 5'000'000;

}  // namespace

Sweeper::Sweeper(const SweeperOptions& options, store::Shard* store, SweepInbox* inbox, StoreClock* clock,
                 const SteadyClock* steady)
    : options_(options), store_(store), inbox_(inbox), clock_(clock), steady_(steady) {}

Sweeper::~Sweeper() {
  Stop();
}

void Sweeper::Start() {
  thread_ = std::thread([this] { Loop(); });
}

void Sweeper::Stop() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Sweeper::Loop() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    lock.unlock();
    bool busy = RunTurn();
    if (also_ != nullptr) busy |= also_();
    lock.lock();
    if (!busy) wake_.wait_for(lock, Pause(), [this] { return stop_; });
  }
}

std::chrono::nanoseconds Sweeper::Pause() const {
  if (!refused_) return kIdlePause;
  const int64_t left_ns = pause_until_ns_ - steady_->NowNs();
  return std::clamp(std::chrono::nanoseconds(left_ns), std::chrono::nanoseconds(0),
                    std::chrono::nanoseconds(kIdlePause));
}

bool Sweeper::RunTurn() {
  // A clock that is not trusted must not destroy data.
  if (clock_->held()) return false;
  refused_ = false;
  swept_by_share_ = false;
  TakeInbox();
  TakeDue();
  if (pending_.empty()) return false;
  turn_begun_ns_ = steady_->NowNs();
  const Code writable = store_->Writable().code();
  if (writable == Code::kUnavailable) return false;  // refused until the next start
  disk_is_full_ = writable == Code::kNoSpace;
  bool any = false;
  for (const Candidate& candidate : InTurn()) any |= TakeStep(candidate);
  if (swept_by_share_) PauseAfterTurn();
  return any;
}

void Sweeper::TakeInbox() {
  for (const std::weak_ptr<Partition>& changed : inbox_->TakeAll()) {
    const std::shared_ptr<Partition> partition = changed.lock();
    if (partition == nullptr) continue;
    // First, so that every change from here on is put into the inbox again.
    partition->SweeperLooks();
    outlooks_[partition->id()].partition = changed;
    pending_.insert(partition->id());
  }
}

void Sweeper::TakeDue() {
  while (!by_time_.empty() && HasCome(by_time_.begin()->first)) {
    pending_.insert(by_time_.begin()->second);
    by_time_.erase(by_time_.begin());
  }
}

void Sweeper::LookAgainAt(PartitionId partition, std::optional<int64_t> due_ms) {
  Outlook& outlook = outlooks_[partition];
  if (outlook.next_due_ms.has_value()) by_time_.erase({*outlook.next_due_ms, partition});
  outlook.next_due_ms = due_ms;
  if (due_ms.has_value()) by_time_.insert({*due_ms, partition});
}

void Sweeper::Forget(PartitionId partition) {
  LookAgainAt(partition, std::nullopt);
  pending_.erase(partition);
  outlooks_.erase(partition);
}

// One partition of each container, then the next of each. A turn that ends early is then fair to containers, however
// many partitions they have. The order begins behind those that had the last step.
std::vector<Sweeper::Candidate> Sweeper::InTurn() {
  std::map<ContainerId, std::vector<Candidate>> by_container;
  size_t rounds = 0;
  const std::set<PartitionId> looked_at = pending_;
  for (PartitionId id : looked_at) {
    const Outlook& outlook = outlooks_[id];
    std::shared_ptr<Partition> partition = outlook.partition.lock();
    const bool is_gone =
        partition == nullptr || partition->container().state()->standing == ContainerState::Standing::kDropped;
    if (is_gone) {
      Forget(id);
      last_partitions_.erase(id.container);
      continue;
    }
    std::vector<Candidate>& partitions = by_container[id.container];
    partitions.push_back(std::move(partition));
    rounds = std::max(rounds, partitions.size());
  }
  std::vector<const std::vector<Candidate>*> order;
  for (auto& [id, partitions] : by_container) {
    SortFairly(id, &partitions);
    order.push_back(&partitions);
  }
  const auto before = std::distance(by_container.begin(), by_container.upper_bound(last_container_));
  std::rotate(order.begin(), order.begin() + before, order.end());
  std::vector<Candidate> all;
  for (size_t round = 0; round < rounds; ++round) {
    for (const std::vector<Candidate>* partitions : order) {
      if (round < partitions->size()) all.push_back((*partitions)[round]);
    }
  }
  return all;
}

void Sweeper::SortFairly(ContainerId container, std::vector<Candidate>* partitions) const {
  const auto last = last_partitions_.find(container);
  if (last == last_partitions_.end()) return;
  const auto next = std::find_if(partitions->begin(), partitions->end(),
                                 [&](const Candidate& one) { return one->number() > last->second; });
  std::rotate(partitions->begin(), next, partitions->end());
}

bool Sweeper::TakeStep(const Candidate& candidate) {
  Partition* const partition = candidate.get();
  Outlook& outlook = outlooks_[partition->id()];

  SweepLimit limit;
  SpareUnits& spare = partition->spare_units();
  const bool limited = spare.limited();
  if (disk_is_full_) {
    // No write succeeds until there is room, so this comes before budgets and shares.
  } else if (limited) {
    limit.items_max = spare.LeftOver(outlook.items_needed * kPurgeMilliRu) / kPurgeMilliRu;
    if (limit.items_max < std::max<int64_t>(outlook.items_needed, 1)) {
      // Trimming a log costs no request units. An untrimmed log would grow for as long as users spend everything.
      if (!TrimIsDue(outlook, *partition)) return false;
      limit.items_max = 0;
    }
  } else if (!SharePermits()) {
    refused_ = true;
    return false;
  }

  outlook.revision = partition->container().state()->revision;
  outlook.next_trim_ms = 0;  // in case the step fails
  last_container_ = partition->id().container;
  last_partitions_[partition->id().container] = partition->number();
  std::optional<SweepOutcome> outcome = Step(partition, limit);
  if (!outcome.has_value()) return false;  // it stays pending
  outlook.items_needed = outcome->items_needed;
  outlook.next_trim_ms = outcome->next_trim_ms;
  if (!outcome->more) pending_.erase(partition->id());
  LookAgainAt(partition->id(), outcome->next_due_ms);
  if (limited) spare.SpendLeftOver((outcome->purged.items + outcome->erased_items) * kPurgeMilliRu);
  return outcome->worked;
}

bool Sweeper::TrimIsDue(const Outlook& outlook, const Partition& partition) const {
  return outlook.revision != partition.container().state()->revision || HasCome(outlook.next_trim_ms);
}

bool Sweeper::HasCome(const std::optional<int64_t>& time_ms) const {
  return time_ms.has_value() && *time_ms <= clock_->ApproximateMs();
}

// Refuses while the share pauses, and once this turn has used its time.
bool Sweeper::SharePermits() {
  const int64_t now_ns = steady_->NowNs();
  if (now_ns < pause_until_ns_ || (swept_by_share_ && now_ns - turn_begun_ns_ >= kTurn_ns)) return false;
  return swept_by_share_ = true;
}

void Sweeper::PauseAfterTurn() {
  const int64_t now_ns = steady_->NowNs();
  const auto worked_ns = static_cast<double>(now_ns - turn_begun_ns_);
  pause_until_ns_ = now_ns + static_cast<int64_t>(worked_ns * (1 / options_.share - 1));
}

std::optional<SweepOutcome> Sweeper::Step(Partition* partition, const SweepLimit& limit) {
  std::promise<Result<SweepOutcome>> promise;
  partition->QueueSweep(limit, [&promise](Result<SweepOutcome> outcome) { promise.set_value(std::move(outcome)); });
  Result<SweepOutcome> outcome = promise.get_future().get();
  if (outcome.ok()) {
    last_failure_.clear();
    return *std::move(outcome);
  }
  // The backlog stays, and the next turn tries again.
  if (outcome.status().code() != Code::kNotFound) NoteFailure(outcome.status());
  return std::nullopt;
}

// Logs a failure once, since the step may be retried ten times a second.
void Sweeper::NoteFailure(const Status& failure) {
  std::string text = failure.ToString();
  if (text == last_failure_) return;
  Log(LogLevel::kWarn, "a sweep failed", {{"error", text}});
  last_failure_ = std::move(text);
}

}  // namespace lapse::engine
