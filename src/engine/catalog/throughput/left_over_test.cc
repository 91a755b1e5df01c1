// The sweeper on the throughput that users leave.
#include <string>

#include "engine/catalog/counts/census.h"
#include "engine/catalog/throughput/request_meter.h"
#include "engine/engine_fixture.h"
#include "engine/records/prices/prices.h"
#include "engine/shard/sweep/sweeper.h"

namespace lapse::engine {
namespace {

class LeftOverTest : public EngineFixture {
 protected:
  static void CreateMany(const ContainerPtr& container, const std::string& prefix, int count, int own_ttl) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(Create(container, prefix + std::to_string(i), "0123456789", own_ttl).ok());
    }
  }

  // Spends as users all but this much of the current second.
  static void SpendAllBut(const ContainerPtr& container, int64_t milli_ru) {
    Budget& budget = container->budget(0);
    while (budget.Left() > milli_ru) {
      RequestMeter request;
      ASSERT_TRUE(container->Admit(&request, 0).ok());
      request.Charge(std::min<int64_t>(5000, budget.Left() - milli_ru));
    }
  }

  void SweepAll() {
    while (engine_->SweepTurn()) continue;
  }

  static int64_t Backlog(const ContainerPtr& container) { return Census(*container).Expired()->items; }
};

TEST_F(LeftOverTest, UnderOverloadTheBacklogGrowsAndAfterItDrains) {
  ContainerPtr c = MakeContainer("c", -1, 400);
  CreateMany(c, "a", 100, 5);
  CreateMany(c, "b", 100, 7);
  int64_t before = 0;
  for (int second = 0; second < 10; ++second) {
    SpendAllBut(c, 0);
    SweepAll();
    EXPECT_GE(Backlog(c), before);
    before = Backlog(c);
    PassSeconds(1);
  }
  SweepAll();
  EXPECT_EQ(Backlog(c), 200);
  EXPECT_EQ(Census(*c).PurgedSoFar()->milli_ru, 0) << "users left nothing";

  PassSeconds(1);
  const int64_t users_have = c->budget(0).Left();
  SweepAll();
  EXPECT_EQ(Backlog(c), 0);
  EXPECT_EQ(Census(*c).PurgedSoFar()->milli_ru, 200 * kPurgeMilliRu);
  EXPECT_EQ(c->budget(0).Left(), users_have) << "users never pay for it";
}

TEST_F(LeftOverTest, ItSpendsNoMoreThanWasLeft) {
  ContainerPtr c = MakeContainer("c", -1, 400);
  CreateMany(c, "a", 100, 5);
  for (int second = 0; second < 5; ++second) {
    SpendAllBut(c, 0);
    PassSeconds(1);
  }
  for (int second = 1; second <= 4; ++second) {
    SpendAllBut(c, 10 * kPurgeMilliRu);
    PassSeconds(1);
    SweepAll();
    EXPECT_EQ(Backlog(c), 100 - 10 * second);
  }
}

TEST_F(LeftOverTest, AHugeBacklogDoesNotKeepOthersOfTheDatabaseWaiting) {
  ASSERT_TRUE(engine_->catalog_store().CreateDatabase("db", 400, "").ok());
  ContainerPtr huge = MakeContainer("a-huge", -1);
  ContainerPtr small = MakeContainer("small", -1);
  CreateMany(huge, "h", 2000, 5);
  CreateMany(small, "s", 100, 5);
  for (int second = 0; second < 5; ++second) {
    SpendAllBut(huge, 0);
    PassSeconds(1);
  }
  // Each second leaves enough for 100 items: 50 for each.
  for (int second = 0; second < 4; ++second) {
    SpendAllBut(huge, 100 * kPurgeMilliRu);
    PassSeconds(1);
    SweepAll();
  }
  EXPECT_EQ(Backlog(small), 0);
  EXPECT_LE(Backlog(huge), 2000 - 250);
}

TEST_F(LeftOverTest, WithoutRateLimitingThroughputIsJustANumber) {
  ContainerPtr c = MakeContainer("c", -1, 400);
  EXPECT_TRUE(c->budget(0).limited());
  rate_limiting_ = RateLimiting::kOff;
  Restart();
  EXPECT_FALSE(Find("c")->budget(0).limited());
  MakeContainer("none", std::nullopt);
  rate_limiting_ = RateLimiting::kOn;
  Restart();
  EXPECT_EQ(Find("none")->budget(0).Left(), 400'000);
}

}  // namespace
}  // namespace lapse::engine
