// Purges what has expired, in the background, on what users leave of each container's request units
// (docs/design/expiry.md).
//
// Partitions take turns, one bounded step each, so that no backlog keeps another waiting. A partition with a budget
// pays each item from what users left of it; the turns of all others together take a share of one core.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/partition/expiry/sweep.h"
#include "engine/records/ids/ids.h"
#include "engine/shard/partitions/partition.h"
#include "engine/shard/partitions/sweep_inbox.h"
#include "engine/time/store_clock.h"
#include "store/shard.h"

namespace lapse::engine {

struct SweeperOptions {
  double share = 0.10;  // of one core, for partitions without a budget
};

// Threads: any may call Stop; RunTurn is for one at a time. Owns: its thread.
class Sweeper {
 public:
  // All must outlive it.
  Sweeper(const SweeperOptions& options, store::Shard* store, SweepInbox* inbox, StoreClock* clock,
          const SteadyClock* steady);
  ~Sweeper();

  // Other work of its kind, done with each turn by its thread. Answers whether it did something.
  void AlsoRun(std::function<bool()> also) { also_ = std::move(also); }

  void Start();
  // Returns when no step is under way and none will be.
  void Stop();

  // One step for every partition where something is due and can be paid. Answers whether any was taken. Tests call it
  // instead of Start.
  bool RunTurn();
  // After a turn that took none: how long the next one need not come.
  std::chrono::nanoseconds Pause() const;

 private:
  // What is known of a partition from its last step, so that one with nothing to do costs nothing.
  struct Outlook {
    std::weak_ptr<Partition> partition;
    uint64_t revision = 0;               // of the definition
    std::optional<int64_t> next_due_ms;  // when to look again, whatever happens until then
    std::optional<int64_t> next_trim_ms;
    int64_t items_needed = 0;  // that must be paid for at once
  };

  using Candidate = std::shared_ptr<Partition>;

  void TakeInbox();
  void TakeDue();
  std::vector<Candidate> InTurn();
  void SortFairly(ContainerId container, std::vector<Candidate>* partitions) const;
  bool TakeStep(const Candidate& candidate);
  void LookAgainAt(PartitionId partition, std::optional<int64_t> due_ms);
  void Forget(PartitionId partition);
  bool TrimIsDue(const Outlook& outlook, const Partition& partition) const;
  bool HasCome(const std::optional<int64_t>& time_ms) const;
  std::optional<SweepOutcome> Step(Partition* partition, const SweepLimit& limit);
  void NoteFailure(const Status& failure);
  bool SharePermits();
  void PauseAfterTurn();
  void Loop();

  const SweeperOptions options_;
  std::function<bool()> also_;
  store::Shard* const store_;
  SweepInbox* const inbox_;
  StoreClock* const clock_;
  const SteadyClock* const steady_;
  std::map<PartitionId, Outlook> outlooks_;
  std::set<PartitionId> pending_;                           // to be looked at in the next turn
  std::set<std::pair<int64_t, PartitionId>> by_time_;       // the others in which something will become due, and when
  ContainerId last_container_ = 0;                          // that had a step
  std::map<ContainerId, PartitionNumber> last_partitions_;  // and the last one of each
  bool disk_is_full_ = false;
  std::string last_failure_;  // of a step, until one succeeds
  // Of the partitions without a budget, on the steady clock.
  int64_t turn_begun_ns_ = 0;
  int64_t pause_until_ns_ = 0;
  bool swept_by_share_ = false;  // in this turn
  bool refused_ = false;         // in this turn: something may be due that the share did not permit

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace lapse::engine
