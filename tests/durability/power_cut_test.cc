// Every acknowledged change was preceded by a completed sync: a seed decides when the power is cut, and what was not
// synced is lost.
//
// LAPSE_DURABILITY_SEED=n runs one seed; LAPSE_DURABILITY_SEEDS=n runs that many. A seed decides what is written and at
// which change of the disk the power is cut, but not how threads interleave.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>

#include "base/log.h"
#include "tests/durability/durable_store.h"
#include "tests/durability/ledger.h"
#include "tests/durability/workload.h"
#include "tests/seeds.h"

namespace lapse::durability {
namespace {

using store::Durability;
using store::UnsyncedBytes;

constexpr int kCutsPerSeed = 3;
constexpr uint64_t kChangesMax = 1000;  // changes of the disk before a cut
constexpr int64_t kCalendarError_ms = 600'000;

// Cuts the power a few times over the same data.
class PowerCutRun {
 public:
  PowerCutRun(uint64_t seed, Durability durability, UnsyncedBytes unsynced)
      : random_(seed), durability_(durability), unsynced_(unsynced), workload_(random_(), &store_) {
    SetLogLevel(LogLevel::kOff);  // RocksDB logs much about files that fail
  }
  ~PowerCutRun() {
    store_.Close();
    SetLogLevel(LogLevel::kInfo);
  }

  void Go(int cuts) {
    // Created with syncs, so that something can be checked whatever is lost later.
    ASSERT_TRUE(Opened(Durability::kSync));
    ASSERT_TRUE(workload_.Prepare().ok());
    store_.Close();
    for (int cut = 0; cut < cuts && workload_.findings().empty(); ++cut) CutOnce();
  }

  const Workload& workload() const { return workload_; }

 private:
  bool Opened(Durability durability) {
    Status opened = store_.Open(durability);
    EXPECT_TRUE(opened.ok()) << opened.ToString();
    return opened.ok();
  }

  void CutOnce() {
    ASSERT_TRUE(Opened(durability_));
    store_.disk().CutPowerAt(1 + random_() % kChangesMax);
    workload_.RunUntil([this] { return store_.disk().power_is_cut(); });
    store_.LosePower(random_(), unsynced_);
    if (random_() % 2 == 0) store_.SetCalendarBack(kCalendarError_ms);
    // Sometimes the power is cut again while the store is recovering.
    if (random_() % 3 == 0) CutWhileOpening();
    ASSERT_TRUE(Opened(durability_));
    workload_.Inspect();
    store_.Close();
  }

  void CutWhileOpening() {
    store_.disk().CutPowerAt(1 + random_() % 40);
    static_cast<void>(store_.Open(durability_));
    store_.LosePower(random_(), unsynced_);
  }

  std::mt19937_64 random_;
  const Durability durability_;
  const UnsyncedBytes unsynced_;
  DurableStore store_;
  Workload workload_;
};

struct Totals {
  int64_t acknowledged = 0;
  int64_t items_found = 0;
  int64_t items_purged = 0;
};

Totals RunSeeds(uint64_t few, UnsyncedBytes unsynced) {
  const auto seeds = tests::Seeds::FromEnvironment("LAPSE_DURABILITY_SEED", "LAPSE_DURABILITY_SEEDS", few);
  Totals totals;
  for (uint64_t seed = seeds.first; seed <= seeds.last && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("LAPSE_DURABILITY_SEED=" + std::to_string(seed));
    PowerCutRun run(seed, Durability::kSync, unsynced);
    run.Go(kCutsPerSeed);
    for (const Finding& finding : run.workload().findings()) ADD_FAILURE() << finding.what;
    totals.acknowledged += run.workload().acknowledged();
    totals.items_found += run.workload().items_found();
    totals.items_purged += run.workload().items_purged();
  }
  return totals;
}

void ExpectNothingLost(UnsyncedBytes unsynced) {
  const Totals totals = RunSeeds(12, unsynced);
  // Each of these must happen somewhere in the runs, since otherwise they would prove nothing.
  EXPECT_GT(totals.acknowledged, 0);
  EXPECT_GT(totals.items_found, 0);
  EXPECT_GT(totals.items_purged, 0);
}

TEST(PowerCutTest, AcknowledgedChangesSurviveWhenUnsyncedBytesAreLost) {
  ExpectNothingLost(UnsyncedBytes::kLost);
}

TEST(PowerCutTest, AcknowledgedChangesSurviveWhenUnsyncedBytesAreTorn) {
  ExpectNothingLost(UnsyncedBytes::kPrefix);
}

TEST(PowerCutTest, AcknowledgedChangesSurviveWhenUnsyncedBytesAreGarbled) {
  ExpectNothingLost(UnsyncedBytes::kGarbled);
}

// Proves that the tests above can fail, and tests what relaxed durability promises: writes may be lost but never torn,
// and what is left is consistent. A sweep is synced all the same, since what it destroys cannot be half lost.
TEST(RelaxedPowerCutTest, AcknowledgedChangesAreLostAndNeverTorn) {
  size_t lost = 0;
  // Sweeps, policies and the clock's mark are synced, and with them the writes before. So it may take a few more seeds
  // until a cut loses anything.
  for (uint64_t seed = 1; seed <= 12 || (lost == 0 && seed <= 100); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    PowerCutRun run(seed, Durability::kRelaxed, seed % 2 == 0 ? UnsyncedBytes::kPrefix : UnsyncedBytes::kLost);
    run.Go(1);
    for (const Finding& finding : run.workload().findings()) {
      const bool may_be = finding.fault == Fault::kLost || finding.fault == Fault::kRevived;
      lost += may_be ? 1 : 0;
      EXPECT_TRUE(may_be) << finding.what;
    }
  }
  EXPECT_GT(lost, 0u);
}

}  // namespace
}  // namespace lapse::durability
