#include "engine/partition/changes/change_feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/engine_fixture.h"
#include "engine/shard/purge/engine_families.h"
#include "engine/shard/sweep/sweeper.h"
#include "store/faulty/faulty_shard.h"

namespace lapse::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ChangeFeedTest : public EngineFixture {
 protected:
  // Returns the documents of all pages, and leaves `options` at the end.
  static std::vector<std::string> Changes(const ContainerPtr& container, ChangesOptions* options) {
    std::vector<std::string> documents;
    for (bool more = true; more;) {
      auto page = container->ReadChanges(*options, Collect(&documents));
      EXPECT_TRUE(page.ok()) << page.status().ToString();
      if (!page.ok()) break;
      options->after = page->last;
      more = page->more;
    }
    return documents;
  }

  static std::vector<std::string> Changes(const ContainerPtr& container) {
    ChangesOptions options;
    options.items_max = 2;
    return Changes(container, &options);
  }
};

TEST_F(ChangeFeedTest, ShowsTheLatestVersionsInTheOrderOfTheirWrites) {
  ContainerPtr c = MakeContainer("c", -1);
  ASSERT_TRUE(Create(c, "a", "a1").ok());
  ASSERT_TRUE(Create(c, "b", "b1", 100).ok());
  ASSERT_TRUE(Create(c, "c", "c1").ok());
  ASSERT_TRUE(Put(c, ItemWrite::Kind::kReplace, "a", "a2", 50).ok());
  EXPECT_THAT(Changes(c), ElementsAre("b1", "c1", "a2"));
  ASSERT_TRUE(Put(c, ItemWrite::Kind::kDelete, "c", "").ok());
  EXPECT_THAT(Changes(c), ElementsAre("b1", "a2"));
}

TEST_F(ChangeFeedTest, AChainOfPagesGoesOnAcrossARestart) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  ASSERT_TRUE(Create(c, "a", "a1").ok());
  ChangesOptions options;
  EXPECT_THAT(Changes(c, &options), ElementsAre("a1"));
  EXPECT_THAT(Changes(c, &options), IsEmpty());
  Restart();
  c = Find("c");
  ASSERT_TRUE(Create(c, "b", "b1").ok());
  EXPECT_THAT(Changes(c, &options), ElementsAre("b1"));
  EXPECT_THAT(Changes(c, &options), IsEmpty());
}

TEST_F(ChangeFeedTest, LeavesOutWhatHasExpiredAndWhatWasPurged) {
  ContainerPtr c = MakeContainer("c", 10);
  ASSERT_TRUE(Create(c, "a", "a1").ok());
  ASSERT_TRUE(Create(c, "b", "b1", 100).ok());
  PassSeconds(10);
  EXPECT_THAT(Changes(c), ElementsAre("b1"));
  engine_->SweepTurn();
  EXPECT_THAT(Changes(c), ElementsAre("b1"));
}

TEST_F(ChangeFeedTest, BeginsAtATime) {
  ContainerPtr c = MakeContainer("c", -1);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(Create(c, std::to_string(i), std::to_string(i), i % 3 == 0 ? std::optional(1000) : std::nullopt).ok());
    PassSeconds(10);
  }
  ChangesOptions options;
  options.since_s = kStart_s + 165;
  EXPECT_THAT(Changes(c, &options), ElementsAre("17", "18", "19"));
  options = {};
  options.since_s = kStart_s + 170;
  EXPECT_THAT(Changes(c, &options), ElementsAre("17", "18", "19"));
  options = {};
  options.since_s = kStart_s - 1000;
  EXPECT_EQ(Changes(c, &options).size(), 20U);
  options = {};
  options.since_s = kStart_s + 1000;
  EXPECT_THAT(Changes(c, &options), IsEmpty());
}

TEST_F(ChangeFeedTest, OfOneKeyAndOfARange) {
  ContainerPtr c = MakeContainer("c", std::nullopt, 25'000);
  for (int i = 0; i < 30; ++i) {
    ItemWrite write;
    write.address = Address(*c, "pk" + std::to_string(i % 10), std::to_string(i));
    write.document = std::to_string(i);
    ASSERT_TRUE(Write(c, std::move(write)).ok());
  }
  ChangesOptions options;
  options.scope.exact = Address(*c, "pk7", "").key;
  options.partition = c->PartitionFor(options.scope.exact->epk).number();
  EXPECT_THAT(Changes(c, &options), ElementsAre("7", "17", "27"));
  size_t total = 0;
  for (const auto& partition : c->partitions()) {
    options = {};
    options.partition = partition->number();
    options.scope.range = partition->range();
    total += Changes(c, &options).size();
  }
  EXPECT_EQ(total, 30U);
}

TEST_F(ChangeFeedTest, RefusesAPositionThatIsNotThere) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  ChangesOptions options;
  options.after = 5;
  EXPECT_EQ(c->ReadChanges(options, TakeAny).status().code(), Code::kInvalidArgument);
  options = {};
  options.partition = 1;
  EXPECT_EQ(c->ReadChanges(options, TakeAny).status().code(), Code::kInvalidArgument);
}

// A write with an unknown outcome, on a store that then cannot even be read.
TEST_F(ChangeFeedTest, ShowsWhatReadersSeeWhileACommitIsInDoubt) {
  engine_.reset();
  store::FaultyOptions faults;
  faults.fail_after_per_mille = 1000;
  faults.read_fail_per_mille = 1000;
  bool fail_at_write = false;
  store::FaultyShard* faulty = nullptr;
  faults.on_call = [&](std::string_view call) {
    if (fail_at_write && call == "Write") faulty->set_faults(true);
  };
  auto made = std::make_unique<store::FaultyShard>(faults, EngineFamilies(&purge_filter_));
  faulty = made.get();
  faulty->set_faults(false);
  shard_ = std::move(made);
  Restart();
  ContainerPtr c = MakeContainer("c", -1);
  ASSERT_TRUE(Create(c, "a", "a1").ok());
  fail_at_write = true;
  ASSERT_EQ(Create(c, "b", "b1").status().code(), Code::kUnknownOutcome);
  ChangesOptions options;
  EXPECT_EQ(c->ReadChanges(options, TakeAny).status().code(), Code::kUnavailable);
  faulty->set_faults(false);

  EXPECT_EQ(Read(c, "b"), "b1");
  EXPECT_THAT(Changes(c, &options), ElementsAre("a1", "b1"));
  fail_at_write = false;
  ASSERT_TRUE(Create(c, "c", "c1").ok());
  EXPECT_THAT(Changes(c, &options), ElementsAre("c1"));
  // The shard calls members of this fixture.
  c.reset();
  engine_.reset();
  shard_.reset();
}

}  // namespace
}  // namespace lapse::engine
