// Purges what has expired. Runs in the background, on the request units that users leave of each container's throughput
// (docs/design/expiry.md).
//
// Partitions take turns, one bounded step each, so that no backlog delays another. A partition with a budget pays for
// each item from what users left of it. The turns of all others together take a share of one core.
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

  // Other background work, run by the sweeper's thread in each turn. Returns whether it did anything.
  void AlsoRun(std::function<bool()> also) { also_ = std::move(also); }

  void Start();
  // Returns when no step is under way and none will start.
  void Stop();

  // Takes one step in every partition that has expired items and can pay. Returns whether it took any. Tests call it
  // instead of Start.
  bool RunTurn();
  // How long to wait before the next turn, after a turn that took no step.
  std::chrono::nanoseconds Pause() const;

 private:
  // What the last step learnt of a partition, so that a partition with nothing to do costs nothing.
  struct Outlook {
    std::weak_ptr<Partition> partition;
    uint64_t revision = 0;               // of the definition
    std::optional<int64_t> next_due_ms;  // when to look again, even if nothing changes until then
    std::optional<int64_t> next_trim_ms;
    int64_t items_needed = 0;  // that must be paid for in one step
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
  std::set<PartitionId> pending_;                           // partitions to look at in the next turn
  std::set<std::pair<int64_t, PartitionId>> by_time_;       // the others that will have expired items, and when
  ContainerId last_container_ = 0;                          // the container that had the last step
  std::map<ContainerId, PartitionNumber> last_partitions_;  // and the last partition of each container that had one
  bool disk_is_full_ = false;
  std::string last_failure_;  // of a step, until one succeeds
  // For the partitions without a budget, on the steady clock.
  int64_t turn_begun_ns_ = 0;
  int64_t pause_until_ns_ = 0;
  bool swept_by_share_ = false;  // in this turn
  bool refused_ = false;         // in this turn: something may be due that the share did not cover

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace lapse::engine
