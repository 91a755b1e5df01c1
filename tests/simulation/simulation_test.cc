#include "tests/simulation/simulation.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/seeds.h"

namespace lapse::simulation {
namespace {

void RunSeeds(bool store_faults, int shards = 1) {
  const auto seeds = tests::Seeds::FromEnvironment("LAPSE_SIM_SEED", "LAPSE_SIM_SEEDS", kFewSeeds);
  SimulationReport total;
  for (uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    SimulationOptions options{.seed = seed, .operations = 3000, .store_faults = store_faults, .shards = shards};
    options.rate_limiting = seed % 2 == 0;
    const bool small_groups = seed / 2 % 2 == 0;
    if (small_groups) options.group_bytes_max = 1500;  // two or three writes
    options.one_hash = seed % 3 == 0;
    SimulationReport report = RunSimulation(options);
    EXPECT_EQ(report.difference, "") << "replay with LAPSE_SIM_SEED=" << seed;
    EXPECT_TRUE(small_groups || report.put_back == 0);
    total.expired_seen += report.expired_seen;
    total.restarts += report.restarts;
    total.faults += report.faults;
    total.groups += report.groups;
    total.put_back += report.put_back;
    total.rolled_back += report.rolled_back;
    total.patched += report.patched;
    total.reads_in_writes += report.reads_in_writes;
    total.unique_conflicts += report.unique_conflicts;
    total.keys_erased += report.keys_erased;
    total.erased_waiting += report.erased_waiting;
    total.dead_runs_used += report.dead_runs_used;
    total.learned_in_commits += report.learned_in_commits;
    total.throttled += report.throttled;
    total.sweeps_waiting += report.sweeps_waiting;
  }
  if (seeds.last - seeds.first < 10) return;  // too few to cover every case
  // Each of these must happen somewhere in the runs, since otherwise they would prove nothing about it.
  EXPECT_GT(total.expired_seen, 100);
  EXPECT_GT(total.restarts, 10);
  EXPECT_EQ(total.faults > 10, store_faults);
  EXPECT_GT(total.groups, 1000);
  EXPECT_GT(total.put_back, 100);
  EXPECT_GT(total.rolled_back, 1000);
  EXPECT_GT(total.patched, 1000);
  EXPECT_GT(total.reads_in_writes, 1000);
  EXPECT_GT(total.unique_conflicts, 1000);
  EXPECT_GT(total.keys_erased, 1000);
  EXPECT_GT(total.erased_waiting, 100);
  EXPECT_GT(total.dead_runs_used, 100);
  EXPECT_GT(total.learned_in_commits, 100);
  EXPECT_GT(total.throttled, 100);
  EXPECT_GT(total.sweeps_waiting, 10);
}

TEST(Simulation, EngineAgreesWithTheModel) {
  RunSeeds(false);
}

TEST(Simulation, EngineAgreesWithTheModelOnAStoreThatFails) {
  RunSeeds(true);
}

TEST(Simulation, EngineAgreesWithTheModelOnThreeStoresThatFail) {
  RunSeeds(true, 3);
}

}  // namespace
}  // namespace lapse::simulation
