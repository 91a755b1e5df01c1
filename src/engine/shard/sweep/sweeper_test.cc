// The order of turns, and what a sweep may take.
#include "engine/shard/sweep/sweeper.h"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/catalog/counts/census.h"
#include "engine/engine_fixture.h"
#include "engine/shard/purge/engine_families.h"
#include "store/faulty/faulty_shard.h"

namespace lapse::engine {
namespace {

// Every call of the shard takes a millisecond of steady time, so that a sweep has a length.
class SweeperTest : public EngineFixture {
 protected:
  SweeperTest() {
    engine_.reset();
    store::FaultyOptions options;
    options.on_call = [this](std::string_view) { steady_.AdvanceMs(1); };
    auto faulty = std::make_unique<store::FaultyShard>(options, EngineFamilies(&purge_filter_));
    faulty_ = faulty.get();
    shard_ = std::move(faulty);
    Restart();
  }

  static Result<ItemWritten> CreateWithKey(const ContainerPtr& container, std::string_view key) {
    ItemWrite write;
    write.address = Address(*container, key, "id");
    write.document = "d";
    return Write(container, std::move(write));
  }
  static int64_t Backlog(const ContainerPtr& container) { return Census(*container).Expired()->items; }

  store::FaultyShard* faulty_ = nullptr;
};

TEST_F(SweeperTest, AHugeBacklogDoesNotKeepAnotherWaiting) {
  ContainerPtr huge = MakeContainer("a", 100'000);
  ContainerPtr small = MakeContainer("b", 100'000);
  constexpr int kCohorts = 9000;  // several steps
  for (int i = 0; i < kCohorts; ++i) {
    ASSERT_TRUE(Create(huge, std::to_string(i), "d").ok());
    PassSeconds(1);
  }
  ASSERT_TRUE(Create(small, "one", "d").ok());
  PassSeconds(200'000);
  ASSERT_EQ(Backlog(small), 1);
  int64_t last_ns = steady_.NowNs();
  while (Backlog(small) > 0) {
    engine_->SweepTurn();
    steady_.AdvanceMs(3'600'000);  // longer than any pause for the share
    ASSERT_LT(steady_.NowNs() - last_ns, int64_t{5} * 3'600'000 * 1'000'000) << "it was not its turn for long";
  }
  EXPECT_GT(Backlog(huge), 0);
}

TEST_F(SweeperTest, ManyPartitionsGetNoMoreThanOne) {
  rate_limiting_ = RateLimiting::kOff;
  Restart();
  constexpr int kPartitions = 20;
  ContainerPtr wide = MakeContainer("a", 10, kPartitions * 6'000);
  ContainerPtr narrow = MakeContainer("b", 10);
  ASSERT_EQ(wide->partitions().size(), size_t{kPartitions});
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(CreateWithKey(wide, std::to_string(i)).ok());
  ASSERT_TRUE(Create(narrow, "one", "d").ok());
  PassSeconds(10);
  // A turn ends after some steps; the second one begins with the partitions that were left out.
  for (int turn = 0; turn < 2; ++turn) {
    engine_->SweepTurn();
    steady_.AdvanceMs(3'600'000);
  }
  EXPECT_EQ(Backlog(narrow), 0);
  EXPECT_GT(Backlog(wide), 0);
}

TEST_F(SweeperTest, TakesItsShareAndNoMore) {
  ContainerPtr c = MakeContainer("c", 100'000);
  for (int i = 0; i < 5000; ++i) {
    ASSERT_TRUE(Create(c, std::to_string(i), "d").ok());
    PassSeconds(1);
  }
  PassSeconds(200'000);
  ASSERT_TRUE(engine_->SweepTurn());
  EXPECT_GT(Backlog(c), 0);
  EXPECT_FALSE(engine_->SweepTurn()) << "it must pause for nine times as long as it worked";
  steady_.AdvanceMs(3'600'000);
  EXPECT_TRUE(engine_->SweepTurn());
  EXPECT_EQ(Backlog(c), 0);
}

// Pauses follow from the share alone, so that many small backlogs are soon gone.
TEST_F(SweeperTest, PausesForItsShareAndNoLonger) {
  constexpr int kContainers = 20;
  std::vector<ContainerPtr> containers;
  for (int i = 0; i < kContainers; ++i) {
    containers.push_back(MakeContainer("c" + std::to_string(i), 10));
    ASSERT_TRUE(Create(containers.back(), "one", "d").ok());
  }
  PassSeconds(10);
  const int64_t begun_ns = steady_.NowNs();
  int64_t paused_ns = 0;
  auto backlog = [&] {
    int64_t sum = 0;
    for (const ContainerPtr& container : containers) sum += Backlog(container);
    return sum;
  };
  int64_t counting_ns = 0;  // reading the backlog takes time here
  for (int turn = 0; turn < 1000; ++turn) {
    const int64_t asked_ns = steady_.NowNs();
    if (backlog() == 0) break;
    counting_ns += steady_.NowNs() - asked_ns;
    if (engine_->SweepTurn()) continue;
    const int64_t pause_ns = engine_->shards().front()->sweeper().Pause().count();
    ASSERT_GT(pause_ns, 0);
    paused_ns += pause_ns;
    steady_.AdvanceMs((pause_ns + 999'999) / 1'000'000);
  }
  EXPECT_EQ(backlog(), 0);
  const int64_t worked_ns = steady_.NowNs() - begun_ns - paused_ns - counting_ns;
  EXPECT_LE(paused_ns, 9 * worked_ns);
}

TEST_F(SweeperTest, WithNothingDueItLooksNowAndThen) {
  MakeContainer("c", 10);
  while (engine_->SweepTurn()) continue;
  EXPECT_FALSE(engine_->SweepTurn());
  EXPECT_GE(engine_->shards().front()->sweeper().Pause(), std::chrono::milliseconds(100));
}

TEST_F(SweeperTest, OnAFullDiskItDoesNotWaitForLeftOvers) {
  ContainerPtr c = MakeContainer("c", 10, 400);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(Create(c, std::to_string(i), "d").ok());
  c->budget(0).Charge(400'000'000);  // users have overspent for a long time
  PassSeconds(10);
  engine_->SweepTurn();
  const int64_t before = Backlog(c);
  EXPECT_GT(before, 0);
  faulty_->set_full(true);
  EXPECT_TRUE(engine_->SweepTurn());
  EXPECT_EQ(Backlog(c), 0);
  EXPECT_EQ(Create(c, "refused", "d").status().code(), Code::kNoSpace);
}

}  // namespace
}  // namespace lapse::engine
