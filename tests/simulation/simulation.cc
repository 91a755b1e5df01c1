#include "tests/simulation/simulation.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/fail_point.h"
#include "engine/records/prices/prices.h"
#include "engine/shard/partitions/partition.h"
#include "tests/simulation/checks.h"
#include "tests/simulation/difference.h"
#include "tests/simulation/feed_consumers.h"
#include "tests/simulation/indexing.h"
#include "tests/simulation/model.h"
#include "tests/simulation/purging.h"
#include "tests/simulation/user_request.h"
#include "tests/simulation/world.h"
#include "tests/simulation/writers.h"

namespace lapse::simulation {
namespace {

// Runs the random operations.
class Simulation {
 public:
  Simulation(const SimulationOptions& options, SimulationReport* report)
      : options_(options), report_(report), world_(options, report) {}

  void Run() {
    for (; report_->operations < options_.operations; ++report_->operations) Step();
    CheckEverything();
  }

  int64_t now_s() const { return world_.now_s(); }

 private:
  int64_t Below(int64_t bound) { return world_.dice().Below(bound); }
  bool OneIn(int64_t n) { return world_.dice().OneIn(n); }
  engine::ContainerPtr Find(int container) { return world_.Find(container); }

  void Step() {
    const int64_t dice = Below(1000);
    const int container = static_cast<int>(Below(kContainers));
    if (dice < 500) return writers_.WriteOne(container);
    if (dice < 600) return writers_.WriteMany([this] { Meanwhile(); });
    if (dice < 690) return ReadSomething(container);
    if (dice < 720) return ReadWholeFeed(container);
    if (dice < 750) return Sweep(&world_);
    if (dice < 760) return FollowFullFeed(container);
    if (dice < 785) return FollowLatestFeed(container);
    if (dice < 795) return LatestFeedConsumer::CheckFromTheBeginning(&world_, container);
    if (dice < 812) return SweepAndCompact(&world_);
    if (dice < 820) return ReadWhilePurging(&world_, container);
    if (dice < 840) return QueryByIndex(container);
    if (dice < 910) return MoveTime();
    if (dice < 930) return ChangeDefaultTtl(container);
    if (dice < 938) return ChangeIndexing(container);
    if (dice < 947) return BuildIndexes(&world_);
    if (dice < 950) return ChangeThroughput();
    if (dice < 980) return Restart(OneIn(2));
    if (dice < 985) return RecreateContainer(container);
    CheckEverything();
  }

  void MoveTime() {
    ManualWallClock& wall = world_.wall();
    const int64_t dice = Below(20);
    const int64_t elapsed_ms = Below(3000);
    world_.steady().AdvanceMs(elapsed_ms);
    int64_t latest_s = -1;
    if (dice < 14) {
      wall.Advance(elapsed_ms);
    } else if (dice < 17) {
      wall.Advance(elapsed_ms + Below(60'000));
    } else if (dice < 19) {
      wall.Advance(-Below(kJump_ms));
    } else {
      if (world_.wall_seen_near()) latest_s = now_s() + elapsed_ms / 1000 + 1;
      wall.Set(std::max(wall.NowMs(), now_s() * 1000) + kJump_ms);
    }
    world_.ObserveTime();
    if (latest_s >= 0 && now_s() > latest_s) Fail("time followed a jump of the wall clock");
    engine::StoreClock& clock = world_.engine().clock();
    if (clock.held() && OneIn(3)) {
      Status accepted = clock.Accept();
      const bool failed = !accepted.ok() && world_.IsFault(accepted);
      if (failed != clock.held()) Fail("an accepted jump is held, or one that could not be kept is not");
      world_.ObserveTime();
    } else if (clock.held() && OneIn(2)) {
      wall.Set(now_s() * 1000);
    }
  }

  // --- what users do

  // Runs while writes wait.
  void Meanwhile() {
    const int container = static_cast<int>(Below(kContainers));
    switch (Below(8)) {
      case 0:
      case 1: return MoveTime();
      case 2: return ReadSomething(container);
      case 3: return ReadWholeFeed(container);
      case 4: return ChangeDefaultTtl(container);
      case 5: return FollowFullFeed(container);
      case 6: return FollowLatestFeed(container);
      default:
        if (OneIn(8)) RecreateContainer(container);
    }
  }

  void ReadSomething(int container) {
    const ModelKey key = world_.RandomKey();
    UserRequest request(&world_, container);
    if (!request.Admit(Find(container)->PartitionFor(world_.AddressOf(container, key).key.epk))) return;
    if (OneIn(2)) return request.Pay(CheckItem(&world_, container, key));
    const ModelItem* live = world_.model(container).Find(key);
    const int64_t price = live == nullptr ? 0 : engine::PointReadMilliRu(live->document.size());
    const Status read = CheckItem(&world_, container, key, request.EngineMeter());
    request.NoteEngineCharge();
    request.Pay(read, price);
  }

  void ReadWholeFeed(int container) {
    UserRequest request(&world_, container);
    if (!request.Admit(*Find(container)->partitions().front())) return;
    Status read = CheckFeed(&world_, container);
    request.ExtendToLast();
    request.Pay(read);
  }

  void QueryByIndex(int container) {
    if (OneIn(3)) {
      LearnDeadRuns(&world_, container, [&] {
        for (int64_t writes = Below(4); writes > 0; --writes) writers_.WriteOne(container);
      });
    }
    const bool faults = world_.SetFaults(false);
    CheckIndexQuery(&world_, container);
    world_.SetFaults(faults);
  }

  // Reads while a batch is about to be written.
  Status InCommit() {
    if (!world_.has_engine() || !OneIn(4)) return Status::Ok();
    LearnDeadRuns(&world_, static_cast<int>(Below(kContainers)), [] {});
    world_.CountLearnedInCommit();
    return Status::Ok();
  }

  void FollowFullFeed(int container) { full_feed_[container].Read(&world_, container); }

  void FollowLatestFeed(int container) {
    for (const auto& partition : Find(container)->partitions()) {
      UserRequest request(&world_, container);
      if (!request.Admit(*partition)) continue;
      const bool read = latest_feed_[container].Read(&world_, container, *partition);
      request.Pay(read ? Status::Ok() : Status(Code::kUnavailable, ""));
    }
  }

  // Users spend everything, second by second, from the start of one. The sweeper gets a few items' worth, or nothing.
  void Overload() {
    if (!world_.rate_limiting()) return;
    for (int64_t seconds = Below(6); seconds > 0; --seconds) {
      for (int container = 0; container < kContainers; ++container) {
        for (size_t i = 0; i < Find(container)->partitions().size(); ++i) SpendEverything(container, i);
      }
      world_.PassMs(1000);
      while (world_.RunSweeper()) continue;
      report_->sweeps_waiting += AnyBacklog(&world_) ? 1 : 0;
    }
  }

  void SpendEverything(int container, size_t partition) {
    engine::Budget& budget = Find(container)->budget(partition);
    while (budget.limited() && budget.Admit() == 0) {
      UserRequest request(&world_, container);
      if (request.Admit(*Find(container)->partitions()[partition])) request.Pay(Status::Ok());
    }
  }

  // --- what administrators do

  void ChangeDefaultTtl(int container) {
    ChangePolicy(container, world_.RandomDefaultTtl(), Find(container)->state()->definition.indexing);
  }

  // Writes are priced by the policy, so it must not change while they wait. The budget model knows only sweeps, so no
  // new index may be built on a budget.
  void ChangeIndexing(int container) {
    if (Find(container)->budget(0).limited()) return;
    ChangePolicy(container, world_.model(container).default_ttl(), RandomIndexing(&world_.dice()));
  }

  void ChangePolicy(int container, std::optional<int32_t> default_ttl, const engine::IndexingDefinition& indexing) {
    ModelContainer& model = world_.model(container);
    auto changed = world_.engine().catalog_store().ReplaceContainer(
        "db", ContainerName(container), {default_ttl, "changed", World::LogRetention_s(container), indexing}, 0);
    if (!changed.ok()) {
      if (!world_.IsFault(changed.status())) Fail("policy change: " + changed.status().ToString());
      world_.SettleCatalog();
      default_ttl = Find(container)->state()->policy.default_ttl;
      const bool known = changed.status().code() != Code::kUnknownOutcome;
      if (known && default_ttl != model.default_ttl()) Fail("a refused policy change took effect");
    }
    model.SetDefaultTtl(default_ttl, now_s());
  }

  void ChangeThroughput() {
    const bool faults = world_.SetFaults(false);
    world_.SetThroughput(0, OneIn(3) ? 25'000 : static_cast<int>(400 * (1 + Below(6))));
    world_.SetThroughput(1, static_cast<int>(400 * (1 + Below(3))));
    world_.SetFaults(faults);
  }

  void RecreateContainer(int container) {
    const bool faults = world_.SetFaults(false);
    world_.MakeContainer(container);
    full_feed_.erase(container);
    latest_feed_.erase(container);
    static_cast<void>(CheckFeed(&world_, container));
    world_.SetFaults(faults);
  }

  void Restart(bool crash) {
    // A mark that a fault kept from the disk, followed by a restart with a clock that went back, would be two failures
    // at once. The engine promises nothing for that.
    world_.SetFaults(false);
    world_.steady().AdvanceMs(1000);
    world_.ObserveTime();
    world_.Reopen(crash);
    ++report_->restarts;
    if (OneIn(3)) Overload();
    CheckEverything();
    world_.SetFaults(options_.store_faults);
  }

  // --- checks

  // When everything is swept, no expired item is left, and the consumers of the feeds have exactly the live items.
  void CheckBacklogDrains() {
    if (!DrainBacklog(&world_)) return;
    for (int container = 0; container < kContainers; ++container) {
      full_feed_[container].Check(&world_, container);
      // After a sweep with an unknown outcome, its items are dropped only once it is certain to count: at the next
      // sweep of the partition, or at the next start.
      if (!options_.store_faults) {
        CheckOnlyTheLivingAreStored(&world_, container);
        CheckIndexEntriesLeft(&world_, container);
      }
    }
  }

  void CheckEverything() {
    const bool faults = world_.SetFaults(false);
    for (int container = 0; container < kContainers; ++container) {
      for (int pk = 0; pk < kPartitionKeys; ++pk) {
        for (int id = 0; id < kIds; ++id) {
          static_cast<void>(CheckItem(&world_, container, {"pk" + std::to_string(pk), "id" + std::to_string(id)}));
        }
      }
      static_cast<void>(CheckFeed(&world_, container));
      CheckRecords(&world_, container);
      CheckIndexQuery(&world_, container);
      CheckCensus(&world_, container);
      if (OneIn(2)) latest_feed_[container].Check(&world_, container);
    }
    CheckStore(&world_);
    if (OneIn(4)) CheckBacklogDrains();
    world_.SetFaults(faults);
  }

  const SimulationOptions options_;
  SimulationReport* const report_;
  World world_;
  Writers writers_{&world_};
  std::map<int, FullFeedConsumer> full_feed_;
  std::map<int, LatestFeedConsumer> latest_feed_;
  const ScopedFailPoint told_{"commit.told", FailPoint::kAlways, [this] { return InCommit(); }};
};

}  // namespace

SimulationReport RunSimulation(const SimulationOptions& options) {
  SimulationReport report;
  int64_t now_s = 0;
  std::optional<ScopedFailPoint> one_hash;
  if (options.one_hash) {
    one_hash.emplace("unique_keys.one_hash", FailPoint::kAlways, [] { return Status(Code::kInternal, "one hash"); });
  }
  try {
    Simulation simulation(options, &report);
    try {
      simulation.Run();
    } catch (const Difference&) {
      now_s = simulation.now_s();
      throw;
    }
  } catch (const Difference& difference) {
    report.difference = "seed " + std::to_string(options.seed) + ", operation " + std::to_string(report.operations) +
                        ", now " + std::to_string(now_s) + ": " + difference.what;
  }
  return report;
}

}  // namespace lapse::simulation
