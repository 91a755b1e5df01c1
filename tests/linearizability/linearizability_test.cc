// Many connections at once, faults, crashes and a moving clock: the answers must be linearizable.
//
// LAPSE_LINEAR_ROUNDS=n runs that many rounds of each kind, LAPSE_LINEAR_SEED=n only that one. A seed decides what is
// sent and what fails, but not how threads interleave.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "base/log.h"
#include "tests/linearizability/disk_database.h"
#include "tests/linearizability/faulty_engine_database.h"
#include "tests/linearizability/process_database.h"
#include "tests/linearizability/round.h"
#include "tests/seeds.h"

namespace lapse::linearizability {
namespace {

constexpr uint64_t kRounds = 4;
constexpr int64_t kOperationsToTell = 1000;

// Defaults of the container: items without a ttl live for ever, or expire soon.
constexpr int64_t kNoDefault = -1;
constexpr int64_t kShortDefault = 3;

// Many clients on few items, and few clients on many.
RoundOptions OptionsOf(uint64_t seed) {
  return {.seed = seed, .clients = 4 + static_cast<int>(seed % 3) * 3, .partitions = 2 + static_cast<int>(seed % 4)};
}

class LinearizabilityTest : public ::testing::Test {
 protected:
  LinearizabilityTest() { SetLogLevel(LogLevel::kOff); }
  ~LinearizabilityTest() override { SetLogLevel(LogLevel::kInfo); }

  static RoundCounts RunRounds(Database* database) {
    const auto seeds = tests::Seeds::FromEnvironment("LAPSE_LINEAR_SEED", "LAPSE_LINEAR_ROUNDS", kRounds);
    RoundCounts counts;
    for (uint64_t seed = seeds.first; seed <= seeds.last && !HasFailure(); ++seed) {
      const Round round = RunRound(OptionsOf(seed), database);
      const std::string wrong = Judge(round, *database);
      EXPECT_TRUE(wrong.empty()) << "LAPSE_LINEAR_SEED=" << seed << "\n" << wrong;
      counts.Add(round.counts);
    }
    return counts;
  }

  // Rounds in which clients never meet, or nothing goes wrong, would prove nothing.
  static void ExpectEnough(const RoundCounts& counts) {
    if (std::getenv("LAPSE_LINEAR_ROUNDS") != nullptr) std::cout << counts.Describe() << "\n";
    if (HasFailure() || counts.operations < kOperationsToTell) return;
    EXPECT_GT(counts.changes, 300) << counts.Describe();
    EXPECT_GT(counts.batches, 20) << counts.Describe();
    EXPECT_GT(counts.conflicts, 20) << counts.Describe();
    EXPECT_GT(counts.missing, 20) << counts.Describe();
    EXPECT_GT(counts.changed_before, 0) << counts.Describe();
    EXPECT_GT(counts.unknown, 0) << counts.Describe();
    EXPECT_GT(counts.clock_moves, 0) << counts.Describe();
    EXPECT_GT(counts.crashes, 0) << counts.Describe();
  }
};

TEST_F(LinearizabilityTest, OnAStoreThatFailsAndCrashes) {
  FaultyEngineDatabase database(kNoDefault);
  ExpectEnough(RunRounds(&database));
}

TEST_F(LinearizabilityTest, OnAStoreThatFailsWithADefaultTimeToLive) {
  FaultyEngineDatabase database(kShortDefault);
  ExpectEnough(RunRounds(&database));
}

TEST_F(LinearizabilityTest, OnADiskThatFailsAndLosesPower) {
  DiskDatabase database(kNoDefault);
  ExpectEnough(RunRounds(&database));
}

TEST_F(LinearizabilityTest, OnAServerThatIsKilled) {
  if (tests::ServerProgram().empty()) GTEST_SKIP() << "LAPSED does not name the server's program";
  ProcessDatabase database(kShortDefault);
  ExpectEnough(RunRounds(&database));
}

}  // namespace
}  // namespace lapse::linearizability
