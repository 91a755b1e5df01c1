#include "engine/expiry/sweeper.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <utility>

#include "base/log.h"
#include "engine/commit/partition.h"
#include "engine/engine_parts.h"
#include "engine/request_units/prices.h"

namespace lapse::engine {
namespace {

// How soon something that has become due is noticed. Nobody waits for it: readers decide for themselves.
constexpr std::chrono::milliseconds kIdlePause{100};

// What a turn may take of a core before it pauses, so that many small steps need not be many turns.
constexpr int64_t kTurn_ns = 5'000'000;

}  // namespace

Sweeper::PartitionId Sweeper::Candidate::id() const {
  return {container->id(), partition->stream()};
}

Sweeper::Sweeper(const SweeperOptions& options, EngineParts* parts) : options_(options), parts_(parts) {}

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
    const bool busy = RunTurn();
    lock.lock();
    if (!busy) wake_.wait_for(lock, Pause(), [this] { return stop_; });
  }
}

std::chrono::nanoseconds Sweeper::Pause() const {
  if (!refused_) return kIdlePause;
  const int64_t left_ns = pause_until_ns_ - parts_->options.steady->NowNs();
  return std::clamp(std::chrono::nanoseconds(left_ns), std::chrono::nanoseconds(0),
                    std::chrono::nanoseconds(kIdlePause));
}

bool Sweeper::RunTurn() {
  // A clock that is not believed must not destroy data.
  if (parts_->clock->held()) return false;
  ++turn_;
  refused_ = false;
  swept_by_share_ = false;
  turn_begun_ns_ = parts_->options.steady->NowNs();
  const Code writable = parts_->shard->Writable().code();
  if (writable == Code::kUnavailable) return false;  // until the next start
  disk_is_full_ = writable == Code::kNoSpace;
  bool any = false;
  for (const Candidate& candidate : InTurn()) any |= TakeStep(candidate);
  if (swept_by_share_) PauseAfterTurn();
  std::erase_if(outlooks_, [this](const auto& entry) { return entry.second.turn != turn_; });
  return any;
}

// All partitions, one of each container and then the next of each, so that a turn that does not reach everyone is fair
// to containers, however many partitions they have. It begins behind those that had a step last.
std::vector<Sweeper::Candidate> Sweeper::InTurn() {
  std::map<ContainerId, std::vector<Candidate>> by_container;
  size_t rounds = 0;
  for (const DatabasePtr& database : parts_->catalog->ListDatabases()) {
    Result<std::vector<ContainerPtr>> containers = parts_->catalog->ListContainers(database->name);
    if (!containers.ok()) continue;  // deleted meanwhile
    for (const ContainerPtr& container : *containers) {
      std::vector<Candidate>& partitions = by_container[container->id()] = PartitionsOf(container);
      rounds = std::max(rounds, partitions.size());
    }
  }
  std::erase_if(last_streams_, [&](const auto& entry) { return !by_container.contains(entry.first); });
  std::vector<const std::vector<Candidate>*> order;
  for (const auto& [id, partitions] : by_container) order.push_back(&partitions);
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

std::vector<Sweeper::Candidate> Sweeper::PartitionsOf(const ContainerPtr& container) const {
  std::vector<Candidate> partitions;
  for (const auto& partition : container->partitions()) partitions.push_back({container, partition.get()});
  auto by_stream = [](const Candidate& a, const Candidate& b) { return a.id() < b.id(); };
  std::sort(partitions.begin(), partitions.end(), by_stream);
  if (const auto last = last_streams_.find(container->id()); last != last_streams_.end()) {
    const auto next = std::find_if(partitions.begin(), partitions.end(),
                                   [&](const Candidate& one) { return one.id() > PartitionId(*last); });
    std::rotate(partitions.begin(), next, partitions.end());
  }
  return partitions;
}

bool Sweeper::TakeStep(const Candidate& candidate) {
  const ContainerPtr& container = candidate.container;
  Partition* partition = candidate.partition;
  Outlook& outlook = outlooks_[candidate.id()];
  outlook.turn = turn_;
  if (!MayBeDue(outlook, *container, *partition)) return false;

  SweepLimit limit;
  Budget& budget = partition->budget();
  const bool limited = budget.limited();
  if (disk_is_full_) {
    // Nobody can write until there is room: it comes before budgets and shares.
  } else if (limited) {
    limit.items_max = budget.LeftOver(outlook.items_needed * kPurgeMilliRu) / kPurgeMilliRu;
    if (limit.items_max < std::max<int64_t>(outlook.items_needed, 1)) {
      // To trim a log costs nothing, and one that is not trimmed grows for as long as users take everything.
      if (!TrimIsDue(outlook, *container)) return false;
      limit.items_max = 0;
    }
  } else if (!SharePermits()) {
    refused_ = true;
    return false;
  }

  // Read before the step: what is written meanwhile makes it look again.
  outlook.last_lsn = partition->last_lsn();
  outlook.revision = container->state()->revision;
  outlook.next_due_ms = outlook.next_trim_ms = 0;  // should the step fail
  last_container_ = container->id();
  last_streams_[container->id()] = partition->stream();
  std::optional<SweepOutcome> outcome = Step(partition, limit);
  if (!outcome.has_value()) return false;
  if (outcome->purged.items > 0 || outcome->log_trimmed) {
    parts_->reclaimer->Note(container->id(), partition->stream(), outcome->bodies_dead_below);
  }
  outlook.items_needed = outcome->items_needed;
  outlook.next_due_ms = outcome->more ? 0 : outcome->next_due_ms;
  outlook.next_trim_ms = outcome->next_trim_ms;
  if (limited) budget.SpendLeftOver(outcome->purged.items * kPurgeMilliRu);
  return outcome->purged.items > 0;
}

bool Sweeper::MayBeDue(const Outlook& outlook, const Container& container, const Partition& partition) const {
  const bool changed = outlook.last_lsn != partition.last_lsn() || outlook.revision != container.state()->revision;
  return changed || HasCome(outlook.next_due_ms);
}

bool Sweeper::TrimIsDue(const Outlook& outlook, const Container& container) const {
  return outlook.revision != container.state()->revision || HasCome(outlook.next_trim_ms);
}

bool Sweeper::HasCome(const std::optional<int64_t>& time_ms) const {
  return time_ms.has_value() && *time_ms <= parts_->clock->ApproximateMs();
}

// Not while it pauses, nor when this turn has had enough.
bool Sweeper::SharePermits() {
  const int64_t now_ns = parts_->options.steady->NowNs();
  if (now_ns < pause_until_ns_ || (swept_by_share_ && now_ns - turn_begun_ns_ >= kTurn_ns)) return false;
  return swept_by_share_ = true;
}

void Sweeper::PauseAfterTurn() {
  const int64_t now_ns = parts_->options.steady->NowNs();
  const auto worked_ns = static_cast<double>(now_ns - turn_begun_ns_);
  pause_until_ns_ = now_ns + static_cast<int64_t>(worked_ns * (1 / options_.share - 1));
}

std::optional<SweepOutcome> Sweeper::Step(Partition* partition, const SweepLimit& limit) {
  std::promise<Result<SweepOutcome>> promise;
  partition->Sweep(limit, [&promise](Result<SweepOutcome> outcome) { promise.set_value(std::move(outcome)); });
  Result<SweepOutcome> outcome = promise.get_future().get();
  if (outcome.ok()) {
    last_failure_.clear();
    return *std::move(outcome);
  }
  // The backlog stays, and the next turn tries again.
  if (outcome.status().code() != Code::kNotFound) NoteFailure(outcome.status());
  return std::nullopt;
}

// Once: it may be tried ten times a second.
void Sweeper::NoteFailure(const Status& failure) {
  std::string text = failure.ToString();
  if (text == last_failure_) return;
  Log(LogLevel::kWarn, "a sweep failed", {{"error", text}});
  last_failure_ = std::move(text);
}

}  // namespace lapse::engine
