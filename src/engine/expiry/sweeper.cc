#include "engine/expiry/sweeper.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <utility>

#include "base/log.h"
#include "engine/engine_parts.h"
#include "engine/partition.h"
#include "engine/request_units/prices.h"

namespace lapse::engine {
namespace {

// How soon something that has become due is noticed. Nobody waits for it: readers decide for themselves.
constexpr std::chrono::milliseconds kIdlePause{200};

}  // namespace

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
    if (!busy) wake_.wait_for(lock, kIdlePause, [this] { return stop_; });
  }
}

bool Sweeper::RunTurn() {
  // A clock that is not believed must not destroy data.
  if (parts_->clock->held()) return false;
  ++turn_;
  bool any = false;
  for (const DatabasePtr& database : parts_->catalog->ListDatabases()) {
    Result<std::vector<ContainerPtr>> containers = parts_->catalog->ListContainers(database->name);
    if (!containers.ok()) continue;  // deleted meanwhile
    for (const ContainerPtr& container : *containers) {
      for (const auto& partition : container->partitions()) any |= TakeStep(container, partition.get());
    }
  }
  std::erase_if(outlooks_, [this](const auto& entry) { return entry.second.turn != turn_; });
  return any;
}

bool Sweeper::TakeStep(const ContainerPtr& container, Partition* partition) {
  Outlook& outlook = outlooks_[{container->id(), partition->stream()}];
  outlook.turn = turn_;
  if (!MayBeDue(outlook, *container, *partition)) return false;

  SweepLimit limit;
  Budget& budget = partition->budget();
  const bool limited = budget.limited();
  if (limited) {
    limit.items_max = budget.LeftOver(outlook.items_needed * kPurgeMilliRu) / kPurgeMilliRu;
    if (limit.items_max < std::max<int64_t>(outlook.items_needed, 1)) return false;
  } else if (!SharePermits()) {
    return false;
  }

  // Read before the step: what is written meanwhile makes it look again.
  outlook.last_lsn = partition->last_lsn();
  outlook.revision = container->state()->revision;
  const int64_t begun_ns = parts_->options.steady->NowNs();
  outlook.next_due_ms = 0;  // should the step fail
  std::optional<SweepOutcome> outcome = Step(partition, limit);
  if (!outcome.has_value()) return false;
  if (outcome->purged.items > 0) {
    parts_->reclaimer->Note(container->id(), partition->stream(), outcome->bodies_dead_below);
  }
  outlook.items_needed = outcome->items_needed;
  outlook.next_due_ms = outcome->more ? 0 : outcome->next_due_ms;
  if (limited) {
    budget.SpendLeftOver(outcome->purged.items * kPurgeMilliRu);
  } else {
    const int64_t now_ns = parts_->options.steady->NowNs();
    pause_until_ns_ = now_ns + static_cast<int64_t>(static_cast<double>(now_ns - begun_ns) * (1 / options_.share - 1));
  }
  return outcome->purged.items > 0;
}

bool Sweeper::MayBeDue(const Outlook& outlook, const Container& container, const Partition& partition) const {
  const bool changed = outlook.last_lsn != partition.last_lsn() || outlook.revision != container.state()->revision;
  return changed || (outlook.next_due_ms.has_value() && *outlook.next_due_ms <= parts_->clock->ApproximateMs());
}

bool Sweeper::SharePermits() const {
  return parts_->options.steady->NowNs() >= pause_until_ns_;
}

std::optional<SweepOutcome> Sweeper::Step(Partition* partition, const SweepLimit& limit) {
  std::promise<Result<SweepOutcome>> promise;
  partition->Sweep(limit, [&promise](Result<SweepOutcome> outcome) { promise.set_value(std::move(outcome)); });
  Result<SweepOutcome> outcome = promise.get_future().get();
  if (outcome.ok()) return *std::move(outcome);
  // The backlog stays, and the next turn tries again.
  if (outcome.status().code() != Code::kNotFound) {
    Log(LogLevel::kWarn, "a sweep failed", {{"error", outcome.status().ToString()}});
  }
  return std::nullopt;
}

}  // namespace lapse::engine
