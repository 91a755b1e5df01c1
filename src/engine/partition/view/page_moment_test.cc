// A page shows one moment: all its items existed at the same time, whatever happens while it begins.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/engine_fixture.h"
#include "engine/shard/purge/engine_families.h"
#include "store/faulty/faulty_shard.h"

namespace lapse::engine {
namespace {

using ::testing::ElementsAre;

class PageMomentTest : public EngineFixture {
 protected:
  PageMomentTest() {
    engine_.reset();
    store::FaultyOptions options;
    options.on_call = [this](std::string_view call) {
      if (call == "NewSnapshot" && at_snapshot_ != nullptr) std::exchange(at_snapshot_, nullptr)();
    };
    shard_ = std::make_unique<store::FaultyShard>(options, EngineFamilies(&purge_filter_));
    Restart();
  }
  ~PageMomentTest() override {
    // The shard calls members of this fixture.
    engine_.reset();
    shard_.reset();
  }

  std::function<void()> at_snapshot_;  // runs once, before a page gets its snapshot
};

TEST_F(PageMomentTest, WhatExpiredIsNotBesideWhatWasWrittenLater) {
  const ContainerPtr c = MakeContainer("c", -1);
  ASSERT_TRUE(Create(c, "old", "old", 2).ok());
  at_snapshot_ = [&] {
    PassSeconds(2);
    ASSERT_TRUE(Create(c, "new", "new").ok());
  };
  EXPECT_THAT(Feed(c), ElementsAre("new"));
}

// The same with a change of policy instead of time.
TEST_F(PageMomentTest, WhatAnOldPolicyKeptIsNotBesideWhatWasWrittenUnderTheNewOne) {
  const ContainerPtr c = MakeContainer("c", -1);
  ASSERT_TRUE(Create(c, "old", "old").ok());
  PassSeconds(5);
  at_snapshot_ = [&] {
    ASSERT_TRUE(SetDefaultTtl("c", 3).ok());
    ASSERT_TRUE(Create(c, "new", "new").ok());
  };
  EXPECT_THAT(Feed(c), ElementsAre("new"));
}

TEST_F(PageMomentTest, NeitherIsItInAPageOfChanges) {
  const ContainerPtr c = MakeContainer("c", -1);
  ASSERT_TRUE(Create(c, "old", "old", 2).ok());
  at_snapshot_ = [&] {
    PassSeconds(2);
    ASSERT_TRUE(Create(c, "new", "new").ok());
  };
  std::vector<std::string> documents;
  ASSERT_TRUE(c->ReadChanges({}, Collect(&documents)).ok());
  EXPECT_THAT(documents, ElementsAre("new"));
}

// On a disk that is slow from the start, the page must not end without a position: that would mean that nothing is
// left.
TEST_F(PageMomentTest, APageWhoseTimeIsUpBeforeItsFirstItemIsNotTheLast) {
  const ContainerPtr c = MakeContainer("c", -1);
  ASSERT_TRUE(Create(c, "a", "a").ok());
  ASSERT_TRUE(Create(c, "b", "b").ok());
  at_snapshot_ = [&] { PassSeconds(kPageTime_ns / 1'000'000'000 + 1); };
  EXPECT_THAT(Feed(c), ElementsAre("a", "b"));
  std::vector<std::string> documents;
  FeedOptions second;
  second.items_max = 1;
  second.after = c->ReadFeed(second, TakeAny)->resume_after;
  ASSERT_FALSE(second.after.empty());
  at_snapshot_ = [&] { PassSeconds(kPageTime_ns / 1'000'000'000 + 1); };
  ASSERT_TRUE(c->ReadFeed(second, Collect(&documents)).ok());
  EXPECT_THAT(documents, ElementsAre("b"));
}

// A page is read even if time advances whenever it takes its snapshot.
TEST_F(PageMomentTest, APageThatIsDisturbedAgainAndAgainIsReadAtLast) {
  const ContainerPtr c = MakeContainer("c", -1);
  ASSERT_TRUE(Create(c, "item", "item").ok());
  const std::function<void()> disturb = [&] {
    PassSeconds(1);
    at_snapshot_ = disturb;
  };
  at_snapshot_ = disturb;
  EXPECT_THAT(Feed(c), ElementsAre("item"));
  at_snapshot_ = nullptr;
}

}  // namespace
}  // namespace lapse::engine
