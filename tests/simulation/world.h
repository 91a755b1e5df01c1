// The engine with everything that it depends on, and the models that say what it should do.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "engine/engine.h"
#include "engine/shard/purge/purge_filter.h"
#include "store/faulty/faulty_shard.h"
#include "tests/simulation/budget_model.h"
#include "tests/simulation/dice.h"
#include "tests/simulation/model.h"
#include "tests/simulation/seeded_executor.h"
#include "tests/simulation/simulation.h"

namespace lapse::simulation {

constexpr int kContainers = 3;
constexpr int kPartitionKeys = 5;
constexpr int kIds = 6;
constexpr int64_t kJump_ms = 2 * 3'600'000;  // beyond the limit that the clock follows

std::string Text(const std::optional<int32_t>& ttl);
std::string ContainerName(int index);
std::string Text(const ModelKey& key);

// Threads: one. Owns: all of it.
class World {
 public:
  World(const SimulationOptions& options, SimulationReport* report);

  Dice& dice() { return dice_; }
  engine::Engine& engine() { return *engine_; }
  bool has_engine() const { return engine_ != nullptr; }  // false while the engine is being destroyed
  SeededExecutor& executor() { return executor_; }
  // The stores of the engine's shards.
  std::vector<store::FaultyShard*> stores();
  // Reads the key from any of the stores. Fails: kNotFound if none has it.
  Status Get(store::FamilyId family, const std::string& key, store::PinnedValue* value);
  void CompactStores(store::FamilyId family);
  ManualWallClock& wall() { return wall_; }
  ManualSteadyClock& steady() { return steady_; }
  int64_t now_s() const { return now_s_; }
  // Whether throughputs are enforced.
  bool rate_limiting() const { return options_.rate_limiting; }
  size_t group_bytes_max() const { return options_.group_bytes_max; }
  // Whether the wall clock was close to store time at some moment since the start: only then can a jump be detected.
  bool wall_seen_near() const { return wall_seen_near_; }

  engine::ContainerPtr Find(int container);
  ModelContainer& model(int container) { return models_.at(container); }
  // The model as of now.
  ThroughputModel& throughput(int container);
  engine::ItemAddress AddressOf(int container, const ModelKey& key);

  // Drops the container in this place, if there is one, and creates another.
  void MakeContainer(int container);
  void SetThroughput(int container, int ru_per_second);
  // Opens the engine again, either on what a crash leaves of the shard or on all of it.
  void Reopen(bool crash);

  // Advances both clocks.
  void PassMs(int64_t ms);
  // Reads store time and lets the models follow.
  void ObserveTime();

  // Runs one turn of the sweeper. Returns whether it did anything.
  bool RunSweeper();

  // Returns the previous setting.
  bool SetFaults(bool on);
  // After a change of the catalog whose outcome may be unknown: adopts what the store holds. The sweeper's next turn
  // does the same, if the store can be read then.
  void SettleCatalog();
  // Whether the status is a fault that the store was told to inject, and counts it. Fails if the store was not told to.
  bool IsFault(const Status& status);
  static bool IsInjected(const Status& status);
  void CountThrottled() { ++report_->throttled; }
  void CountGroup() { ++report_->groups; }
  void CountPutBack() { ++report_->put_back; }
  void CountRolledBack() { ++report_->rolled_back; }
  void CountUniqueConflict() { ++report_->unique_conflicts; }
  void CountPatched() { ++report_->patched; }
  void CountReadInWrite() { ++report_->reads_in_writes; }
  void CountKeyErased() { ++report_->keys_erased; }
  void CountDeadRunsUsed(uint64_t runs) { report_->dead_runs_used += static_cast<int>(runs); }
  void CountLearnedInCommit() { ++report_->learned_in_commits; }

  std::optional<int32_t> RandomDefaultTtl();
  std::optional<int32_t> RandomOwnTtl();
  ModelKey RandomKey();

  static int64_t LogRetention_s(int container);

 private:
  // A store, and the filter that its families ask.
  struct Disk {
    std::unique_ptr<engine::PurgeFilter> filter = std::make_unique<engine::PurgeFilter>();
    std::unique_ptr<store::FaultyShard> store;
  };
  void MakeDisks();
  void OpenEngine();
  int64_t SteadyMs() const { return steady_.NowNs() / 1'000'000; }

  const SimulationOptions options_;
  SimulationReport* const report_;
  Dice dice_;
  ManualWallClock wall_;
  ManualSteadyClock steady_;
  SeededExecutor executor_{&dice_};
  std::vector<Disk> disks_;
  std::unique_ptr<engine::Engine> engine_;
  std::map<int, ModelContainer> models_;
  std::map<int, ThroughputModel> throughputs_;
  int64_t now_s_ = 0;
  bool wall_seen_near_ = false;
  bool faults_on_ = true;
};

}  // namespace lapse::simulation
