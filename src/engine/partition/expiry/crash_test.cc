// A machine crashes at some point of a sweep: what its next start finds.
#include <algorithm>
#include <memory>
#include <string>
#include <tuple>

#include "base/fail_point.h"
#include "engine/catalog/counts/census.h"
#include "engine/engine_fixture.h"
#include "engine/shard/purge/engine_families.h"
#include "engine/shard/reclaim/reclaimer.h"
#include "engine/shard/sweep/sweeper.h"
#include "store/faulty/faulty_shard.h"

namespace lapse::engine {
namespace {

using CrashPoint = std::tuple<const char*, store::Durability>;

class SweepCrashTest : public EngineFixture, public ::testing::WithParamInterface<CrashPoint> {
 protected:
  SweepCrashTest() {
    engine_.reset();
    auto faulty = std::make_unique<store::FaultyShard>(store::FaultyOptions(), EngineFamilies(&purge_filter_));
    faulty_ = faulty.get();
    shard_ = std::move(faulty);
    durability_ = std::get<store::Durability>(GetParam());
    Restart();
  }

  // Takes the state of the disk when `point` is reached.
  void CrashAt(std::string_view point, uint64_t seed) {
    FailPoint::Arm(point, 1, [this, seed] {
      crashed_ = faulty_->Crash(seed);
      return Status::Ok();
    });
  }

  void StartFromCrash() {
    engine_.reset();
    faulty_ = crashed_.get();
    shard_ = std::move(crashed_);
    Restart();
  }

  store::FaultyShard* faulty_ = nullptr;
  std::unique_ptr<store::FaultyShard> crashed_;
};

TEST_P(SweepCrashTest, LosesNothingRevivesNothingAndCountsRight) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const std::string name = "c" + std::to_string(seed);
    ContainerPtr c = MakeContainer(name, 10);
    for (int i = 0; i < 20; ++i) {
      ASSERT_TRUE(Create(c, "inherits" + std::to_string(i), "0123456789").ok());
      ASSERT_TRUE(Create(c, "own" + std::to_string(i), "0123456789", 10).ok());
      ASSERT_TRUE(Create(c, "lives" + std::to_string(i), "0123456789", 100'000).ok());
    }
    PassSeconds(10);
    ASSERT_EQ(Census(*c).Expired()->items, 40);
    // In `relaxed` an unsynced write may be lost. The mark of this second is synced, and so is everything before it.
    const std::string_view point = std::get<const char*>(GetParam());
    CrashAt(point, seed);
    while (engine_->SweepTurn()) continue;
    while (engine_->ReclaimTurn()) continue;
    EXPECT_EQ(FailPoint::Disarm(point), 1) << "the step was not reached";

    StartFromCrash();
    c = Find(name);
    Census census = Census(*c);
    EXPECT_EQ(*census.Live(), (Count{20, 200}));
    EXPECT_EQ(*census.Expired() + census.PurgedSoFar()->total, (Count{40, 400}));
    EXPECT_EQ(Feed(c).size(), 20U);
    EXPECT_EQ(Read(c, "own3"), CodeName(Code::kNotFound));
    EXPECT_EQ(Read(c, "inherits3"), CodeName(Code::kNotFound));
    EXPECT_EQ(Read(c, "lives3"), "0123456789");

    while (engine_->SweepTurn()) continue;
    EXPECT_EQ(Census(*c).PurgedSoFar()->total, (Count{40, 400}));
    EXPECT_EQ(*Census(*c).Expired(), (Count{0, 0}));
    ASSERT_TRUE(Create(c, "own3", "again").ok());
    EXPECT_EQ(*Census(*c).Live(), (Count{21, 205}));
  }
}

INSTANTIATE_TEST_SUITE_P(EveryStep, SweepCrashTest,
                         ::testing::Combine(::testing::Values("sweep.before_write", "sweep.after_write",
                                                              "sweep.published", "reclaim.before_drop",
                                                              "reclaim.before_compact"),
                                            ::testing::Values(store::Durability::kSync, store::Durability::kRelaxed)),
                         [](const auto& point) {
                           std::string name = std::get<0>(point.param);
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name + (std::get<1>(point.param) == store::Durability::kSync ? "_sync" : "_relaxed");
                         });

}  // namespace
}  // namespace lapse::engine
