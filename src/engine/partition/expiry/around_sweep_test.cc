// Items that are written or extended, or get a longer lifetime by policy, during a sweep.
#include <array>
#include <optional>
#include <string>

#include "base/fail_point.h"
#include "engine/catalog/counts/census.h"
#include "engine/engine_fixture.h"
#include "engine/records/ids/families.h"
#include "engine/records/items/item_keys.h"
#include "engine/shard/sweep/sweeper.h"

namespace lapse::engine {
namespace {

class AroundSweepTest : public EngineFixture {
 protected:
  void SweepAll() {
    while (engine_->SweepTurn()) continue;
  }
  // Drops all purged records.
  void CompactAll() {
    for (store::FamilyId family : {kHeadFamily, kBodyFamily, kQueueFamily}) {
      ASSERT_TRUE(shard_->Compact(family, {}, {}).ok());
    }
  }
};

// The points of a step at which the write arrives. The first and the last are outside the step.
constexpr std::array kMoments = {"before", "sweep.before_write", "sweep.after_write", "sweep.published", "after"};

class WriteAroundSweepTest : public AroundSweepTest,
                             public ::testing::WithParamInterface<std::tuple<const char*, bool>> {};

TEST_P(WriteAroundSweepTest, WhatIsWrittenAgainSurvives) {
  const std::string_view moment = std::get<0>(GetParam());
  const std::optional<int32_t> own_ttl = std::get<1>(GetParam()) ? std::optional(10) : std::nullopt;
  ContainerPtr c = MakeContainer("c", 10);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(Create(c, std::to_string(i), "first", own_ttl).ok());
  PassSeconds(9);
  ASSERT_TRUE(Put(c, ItemWrite::Kind::kReplace, "3", "extended", own_ttl).ok());
  PassSeconds(1);

  // During a step the write waits for its turn, so the answer comes later.
  int answered = 0;
  auto write = [&] {
    ItemWrite again;
    again.kind = ItemWrite::Kind::kCreate;
    again.address = Address(*c, "pk", "7");
    again.document = "again";
    again.own_ttl = own_ttl;
    c->Write(std::move(again), [&](const Result<ItemWritten>& done) {
      EXPECT_TRUE(done.ok()) << done.status().ToString();
      ++answered;
    });
    return Status::Ok();
  };
  const bool in_a_step = moment.starts_with("sweep.");
  if (in_a_step) FailPoint::Arm(moment, 1, write);
  const bool before = moment == "before" && write().ok();
  SweepAll();
  const bool reached = in_a_step && FailPoint::Disarm(moment) == 1;
  const bool after = moment == "after" && write().ok();
  EXPECT_TRUE(before || reached || after) << "the step was not reached";
  EXPECT_EQ(answered, 1);

  SweepAll();
  CompactAll();
  for (int start = 0; start < 2; ++start, Restart()) {
    c = Find("c");
    EXPECT_EQ(Read(c, "7"), "again");
    EXPECT_EQ(Read(c, "3"), "extended");
    EXPECT_EQ(Feed(c).size(), 2U);
    EXPECT_EQ(*Census(*c).Live(), (Count{2, 13}));
  }
  PassSeconds(9);
  EXPECT_EQ(Read(Find("c"), "3"), CodeName(Code::kNotFound));
  EXPECT_EQ(Read(Find("c"), "7"), "again");
}

INSTANTIATE_TEST_SUITE_P(EveryMoment, WriteAroundSweepTest,
                         ::testing::Combine(::testing::ValuesIn(kMoments), ::testing::Bool()));

TEST_F(AroundSweepTest, ADefaultThatIsLengthenedBetweenStepsIsHonoured) {
  constexpr int kSeconds = 5000;  // one cohort each; more than one step handles
  ContainerPtr c = MakeContainer("c", 100);
  for (int second = 0; second < kSeconds; ++second) {
    ASSERT_TRUE(Create(c, std::to_string(second), "d").ok());
    PassSeconds(1);
  }
  const int64_t dead = Census(*c).Expired()->items;
  ASSERT_EQ(dead, kSeconds - 99);
  ASSERT_TRUE(engine_->SweepTurn());
  ASSERT_GT(Census(*c).Expired()->items, 0) << "one step took it all";
  ASSERT_TRUE(SetDefaultTtl("c", 1'000'000).ok());
  PassSeconds(10'000);
  EXPECT_EQ(Census(*c).Live()->items, kSeconds - dead);
  SweepAll();
  CompactAll();
  EXPECT_EQ(Census(*c).PurgedSoFar()->total.items, dead) << "what had died is purged, and no more";
  EXPECT_EQ(Read(c, std::to_string(kSeconds - 1)), "d");
  EXPECT_EQ(Read(c, std::to_string(kSeconds - 99)), "d");
  EXPECT_EQ(Read(c, std::to_string(kSeconds - 100)), CodeName(Code::kNotFound));
}

}  // namespace
}  // namespace lapse::engine
