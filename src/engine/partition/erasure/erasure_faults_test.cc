// Deletions of partition keys on a failing store and on a crashing machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include "base/fail_point.h"
#include "engine/catalog/counts/census.h"
#include "engine/partition/erasure/erasure_fixture.h"
#include "engine/records/ids/families.h"
#include "engine/shard/purge/engine_families.h"
#include "store/faulty/faulty_shard.h"

namespace lapse::engine {
namespace {

class ErasureFaultsTest : public ErasureFixture {
 protected:
  void UseFaulty(store::FaultyOptions faults) {
    engine_.reset();
    faults.on_call = [this](std::string_view call) {
      if (on_call_) on_call_(call);
    };
    auto faulty = std::make_unique<store::FaultyShard>(faults, EngineFamilies(&purge_filter_));
    faulty->set_faults(false);
    faulty_ = faulty.get();
    shard_ = std::move(faulty);
    Restart();
  }

  const std::string kGone = std::string(CodeName(Code::kNotFound));
  std::function<void(std::string_view)> on_call_;
  store::FaultyShard* faulty_ = nullptr;
};

TEST_F(ErasureFaultsTest, NobodySeesItBeforeTheStoreHasIt) {
  UseFaulty({});
  ContainerPtr c = MakeContainer("c", 1000);
  CreateMany(c, "a", 2);
  int looks = 0;
  on_call_ = [&](std::string_view call) {
    if (call != "Write" || looks++ > 0) return;
    EXPECT_EQ(ReadIn(c, "a", "id0"), "a0");
    EXPECT_EQ(Feed(c).size(), 2U);
    EXPECT_EQ(Census(*c).Live()->items, 2);
  };
  ASSERT_TRUE(Erase(c, "a").ok());
  on_call_ = nullptr;
  EXPECT_EQ(looks, 1);
  EXPECT_EQ(ReadIn(c, "a", "id0"), kGone);
}

// A write may take effect though its outcome is unknown and the store cannot be read. Readers then follow the store.
TEST_F(ErasureFaultsTest, AfterAnUnknownOutcomeReadersGoByTheStore) {
  for (const bool happens : {true, false}) {
    store::FaultyOptions faults;
    (happens ? faults.fail_after_per_mille : faults.fail_before_per_mille) = 1000;
    faults.read_fail_per_mille = 1000;
    UseFaulty(faults);
    ContainerPtr c = MakeContainer("c", 1000);
    CreateMany(c, "a", 2);
    on_call_ = [&](std::string_view call) {
      if (call == "Write") faulty_->set_faults(true);
    };
    EXPECT_EQ(Erase(c, "a").status().code(), happens ? Code::kUnknownOutcome : Code::kUnavailable);
    on_call_ = nullptr;
    EXPECT_EQ(ReadIn(c, "a", "id0"), CodeName(Code::kUnavailable)) << "the store does not say";
    faulty_->set_faults(false);
    EXPECT_EQ(ReadIn(c, "a", "id0"), happens ? kGone : "a0");
    EXPECT_EQ(Feed(c).size(), happens ? 0U : 2U);
    EXPECT_EQ(Census(*c).Live()->items, happens ? 0 : 2);
    // The next commit settles the outcome.
    EXPECT_EQ(CreateIn(c, "a", "id0", "new").ok(), happens);
    EXPECT_EQ(ReadIn(c, "a", "id0"), happens ? "new" : "a0");
    EXPECT_EQ(ReadIn(c, "a", "id1"), happens ? kGone : "a1");
    SweepAll();
    EXPECT_EQ(Census(*c).Live()->items, happens ? 1 : 2);
  }
}

TEST_F(ErasureFaultsTest, OnAFullDiskItIsRefusedAndTheSweepGoesOn) {
  UseFaulty({});
  ContainerPtr c = MakeContainer("c", 1000);
  CreateMany(c, "a", 3);
  CreateMany(c, "b", 1);
  ASSERT_TRUE(Erase(c, "a").ok());
  faulty_->set_full(true);
  EXPECT_EQ(Erase(c, "b").status().code(), Code::kNoSpace);
  EXPECT_EQ(ReadIn(c, "b", "id0"), "b0");
  SweepAll();
  EXPECT_EQ(Records(kErasedFamily), 0U);
  EXPECT_EQ(Records(kHeadFamily), 1U);
}

TEST_F(ErasureFaultsTest, AStepThatFailsIsTakenAgain) {
  store::FaultyOptions faults;
  faults.seed = 7;
  faults.fail_before_per_mille = 200;
  faults.fail_after_per_mille = 200;
  faults.read_fail_per_mille = 20;
  UseFaulty(faults);
  ContainerPtr c = MakeContainer("c", 1000);
  CreateMany(c, "a", 40);
  CreateMany(c, "b", 2);
  ASSERT_TRUE(Erase(c, "a").ok());
  for (int step = 0; Records(kErasedFamily) > 0; ++step) {
    ASSERT_LT(step, 1000);
    faulty_->set_faults(true);
    static_cast<void>(SweepStepOf(c, 3));
    faulty_->set_faults(false);
    ASSERT_EQ(*Census(*c).Live(), (Count{2, 4}));
    ASSERT_EQ(Feed(c).size(), 2U);
  }
  EXPECT_EQ(Records(kHeadFamily), 2U);
}

using CrashPoint = std::tuple<const char*, store::Durability>;

class ErasureCrashTest : public ErasureFaultsTest, public ::testing::WithParamInterface<CrashPoint> {
 protected:
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

  std::unique_ptr<store::FaultyShard> crashed_;
};

TEST_P(ErasureCrashTest, RevivesNothingLosesNothingElseAndCountsRight) {
  durability_ = std::get<store::Durability>(GetParam());
  UseFaulty({});
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const std::string name = "c" + std::to_string(seed);
    ContainerPtr c = MakeContainer(name, 1000, 0, 3600);
    CreateMany(c, "a", 20);
    CreateMany(c, "b", 5);
    ASSERT_TRUE(Erase(c, "a").ok());
    ASSERT_TRUE(CreateIn(c, "a", "id3", "new").ok());
    PassSeconds(1);
    ASSERT_EQ(SweepStepOf(c, 5)->erased_items, 5) << "all before it is durable now";
    const std::string_view point = std::get<const char*>(GetParam());
    CrashAt(point, seed);
    ASSERT_TRUE(SweepStepOf(c, 6).ok());
    EXPECT_EQ(FailPoint::Disarm(point), 1) << "the step was not reached";

    StartFromCrash();
    c = Find(name);
    EXPECT_EQ(*Census(*c).Live(), (Count{6, 13}));
    EXPECT_EQ(Feed(c).size(), 6U);
    EXPECT_EQ(ReadIn(c, "a", "id3"), "new");
    EXPECT_EQ(ReadIn(c, "a", "id7"), kGone);
    ASSERT_TRUE(CreateIn(c, "a", "id7", "again").ok());
    SweepAll();
    EXPECT_EQ(*Census(*c).Live(), (Count{7, 18}));
    EXPECT_EQ(Records(kErasedFamily), 0U);
    int deleted = 0;
    ASSERT_TRUE(c->ReadLog({.scope = {}, .since_s = {}, .items_max = 1000}, [&](const LoggedChange& change, Place) {
                   deleted += change.kind == ChangeKind::kDelete ? 1 : 0;
                   return true;
                 }).ok());
    EXPECT_EQ(deleted, 20) << "each is logged once";
  }
}

INSTANTIATE_TEST_SUITE_P(EveryStep, ErasureCrashTest,
                         ::testing::Combine(::testing::Values("sweep.before_write", "sweep.after_write",
                                                              "sweep.published"),
                                            ::testing::Values(store::Durability::kSync, store::Durability::kRelaxed)),
                         [](const auto& point) {
                           std::string name = std::get<0>(point.param);
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name + (std::get<1>(point.param) == store::Durability::kSync ? "_sync" : "_relaxed");
                         });

}  // namespace
}  // namespace lapse::engine
