#include "engine/partition/learned/dead_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapse::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class DeadRunsTest : public ::testing::Test {
 protected:
  // Keys of one index, named by their first four bytes.
  static std::string Key(std::string_view rest, std::string_view index = "i001") {
    return std::string(index) + std::string(rest);
  }
  static DeadRun Between(std::string_view begin, std::string_view end) { return {Key(begin), Key(end)}; }
  // Returns the smallest key greater than this one.
  static std::string After(std::string key) {
    key.push_back('\0');
    return key;
  }

  void Learn(const DeadRun& run, uint64_t entries = 1) {
    DeadRuns::Proposal proposal(&runs_, run, run);
    proposal.Publish({{proposal.run(), entries}});
  }
  std::unique_ptr<DeadRuns::Commit> Begin(const std::vector<std::string>& puts) {
    return std::make_unique<DeadRuns::Commit>(&runs_, [puts](const auto& take) {
      for (const std::string& put : puts) take(Key(put));
    });
  }
  void Put(const std::vector<std::string>& puts) { Begin(puts); }
  // The runs usable by a page that begins now.
  std::vector<DeadRun> Usable() const { return runs_.UsableBy(runs_.Now(), "i001"); }

  DeadRuns runs_;
};

TEST_F(DeadRunsTest, KnowsWhatItLearned) {
  EXPECT_THAT(Usable(), IsEmpty());
  Learn(Between("p", "r"));
  Learn(Between("b", "d"));
  EXPECT_THAT(Usable(), ElementsAre(Between("b", "d"), Between("p", "r")));
  EXPECT_THAT(runs_.UsableBy(runs_.Now(), "i001p"), ElementsAre(Between("p", "r")));
  EXPECT_THAT(runs_.UsableBy(runs_.Now(), "i002"), IsEmpty());
}

TEST_F(DeadRunsTest, JoinsRunsThatOverlapOrTouch) {
  Learn(Between("b", "d"));
  Learn(Between("d", "f"));
  EXPECT_THAT(Usable(), ElementsAre(Between("b", "f")));
  Learn(Between("h", "k"));
  Learn(Between("m", "o"));
  Learn(Between("e", "n"));
  EXPECT_THAT(Usable(), ElementsAre(Between("b", "o")));
  Learn(Between("c", "d"));
  EXPECT_THAT(Usable(), ElementsAre(Between("b", "o")));
}

TEST_F(DeadRunsTest, AnEntryThatIsPutDividesItsRun) {
  Learn(Between("b", "h"));
  Put({"a", "d", "h"});
  EXPECT_THAT(Usable(), ElementsAre(DeadRun{Key("b"), Key("d")}, DeadRun{After(Key("d")), Key("h")}));
  Put({"b"});
  EXPECT_THAT(Usable(), ElementsAre(DeadRun{After(Key("b")), Key("d")}, DeadRun{After(Key("d")), Key("h")}));
}

TEST_F(DeadRunsTest, NothingIsLeftOfARunWithOneKeyThatIsPut) {
  Learn({Key("b"), After(Key("b"))});
  Put({"b"});
  EXPECT_THAT(Usable(), IsEmpty());
}

TEST_F(DeadRunsTest, SaysHowManyAreNextToIt) {
  EXPECT_EQ(runs_.TouchedBy(Between("a", "z")).count, 0u);
  Learn(Between("f", "k"));
  EXPECT_EQ(runs_.TouchedBy(Between("a", "z")).count, 1u);
  EXPECT_EQ(runs_.TouchedBy(Between("a", "f")).count, 1u);
  EXPECT_EQ(runs_.TouchedBy(Between("k", "m")).count, 1u);
  EXPECT_EQ(runs_.TouchedBy(Between("g", "h")).count, 1u);
  EXPECT_EQ(runs_.TouchedBy(Between("a", "e")).count, 0u);
  EXPECT_EQ(runs_.TouchedBy(Between("l", "m")).count, 0u);
  Learn(Between("p", "r"));
  EXPECT_EQ(runs_.TouchedBy(Between("k", "p")).count, 2u);
  EXPECT_EQ(runs_.TouchedBy(Between("k", "p")).between, Between("k", "p"));
  EXPECT_EQ(runs_.TouchedBy(Between("k", "o")).count, 1u);
  Learn(Between("t", "v"));
  EXPECT_EQ(runs_.TouchedBy(Between("a", "z")).count, 3u);
  EXPECT_EQ(runs_.TouchedBy(Between("a", "z")).between, Between("k", "t"));
}

TEST_F(DeadRunsTest, AProposalGrowsToItsNeighboursWithinReach) {
  Learn(Between("b", "d"));
  Learn(Between("p", "r"));
  {
    DeadRuns::Proposal near(&runs_, Between("g", "k"), Between("d", "p"));
    EXPECT_EQ(near.run(), Between("d", "p"));
  }
  {
    DeadRuns::Proposal far(&runs_, Between("g", "k"), Between("e", "o"));
    EXPECT_EQ(far.run(), Between("g", "k"));
  }
  EXPECT_THAT(Usable(), ElementsAre(Between("b", "d"), Between("p", "r")));
}

TEST_F(DeadRunsTest, APageUsesWhatWasPublishedBeforeItBegan) {
  Learn(Between("b", "d"));
  const DeadRuns::Known page = runs_.Now();
  Learn(Between("p", "r"));
  EXPECT_THAT(runs_.UsableBy(page, "i001"), ElementsAre(Between("b", "d")));
  // A merged run is as new as its newest part.
  Learn(Between("d", "f"));
  EXPECT_THAT(runs_.UsableBy(page, "i001"), IsEmpty());
  EXPECT_THAT(Usable(), ElementsAre(Between("b", "f"), Between("p", "r")));
}

TEST_F(DeadRunsTest, APageSeesWhatWasPutSinceItBegan) {
  Learn(Between("b", "f"));
  const DeadRuns::Known page = runs_.Now();
  Put({"d"});
  EXPECT_THAT(runs_.UsableBy(page, "i001"),
              ElementsAre(DeadRun{Key("b"), Key("d")}, DeadRun{After(Key("d")), Key("f")}));
}

TEST_F(DeadRunsTest, WhatIsPutDuringAProposalDividesWhatIsPublished) {
  DeadRuns::Proposal proposal(&runs_, Between("b", "h"), Between("b", "h"));
  Put({"d"});
  EXPECT_THAT(runs_.runs(), IsEmpty());
  proposal.Publish({{Between("b", "h"), 1}});
  EXPECT_THAT(Usable(), ElementsAre(DeadRun{Key("b"), Key("d")}, DeadRun{After(Key("d")), Key("h")}));
}

TEST_F(DeadRunsTest, TooMuchThatIsPutSpoilsAProposal) {
  DeadRuns::Proposal proposal(&runs_, Between("b", "h"), Between("b", "h"));
  for (size_t i = 0; i <= DeadRuns::kPutsMax; ++i) Put({"c" + std::to_string(i)});
  proposal.Publish({{Between("b", "h"), 1}});
  EXPECT_THAT(runs_.runs(), IsEmpty());
}

TEST_F(DeadRunsTest, AProposalThatIsGivenUpLeavesNothing) {
  { DeadRuns::Proposal proposal(&runs_, Between("b", "h"), Between("b", "h")); }
  Put({"d"});
  EXPECT_THAT(runs_.runs(), IsEmpty());
}

// The commit reported its puts before there was a proposal, and its entries are in no snapshot yet.
TEST_F(DeadRunsTest, ACommitUnderWayDividesWhatIsProposedMeanwhile) {
  auto commit = Begin({"d"});
  DeadRuns::Proposal proposal(&runs_, Between("b", "h"), Between("b", "h"));
  commit.reset();
  proposal.Publish({{Between("b", "h"), 1}});
  EXPECT_THAT(Usable(), ElementsAre(DeadRun{Key("b"), Key("d")}, DeadRun{After(Key("d")), Key("h")}));
}

TEST_F(DeadRunsTest, WhatIsPublishedDuringACommitIsUsedWhenThatHasEnded) {
  auto commit = Begin({"d"});
  Learn(Between("b", "h"));
  const DeadRuns::Known during = runs_.Now();
  EXPECT_THAT(Usable(), IsEmpty());
  commit.reset();
  EXPECT_THAT(runs_.UsableBy(during, "i001"), IsEmpty());
  EXPECT_THAT(Usable(), ElementsAre(DeadRun{Key("b"), Key("d")}, DeadRun{After(Key("d")), Key("h")}));
}

TEST_F(DeadRunsTest, WhatJoinsARunThatIsNotUsableYetIsNotEither) {
  Learn(Between("b", "d"));
  auto commit = Begin({"g"});
  Learn(Between("d", "h"));
  EXPECT_THAT(Usable(), IsEmpty());
  commit.reset();
  EXPECT_THAT(Usable(), ElementsAre(DeadRun{Key("b"), Key("g")}, DeadRun{After(Key("g")), Key("h")}));
}

TEST_F(DeadRunsTest, OfTooManyRunsTheUnusedGo) {
  Learn(Between("a", "b"));
  for (size_t i = 0; i < 10 * DeadRuns::kRunsMax; ++i) {
    Usable();
    runs_.NoteUse(Key("a"));
    const std::string begin = "k" + std::to_string(100'000 + i);
    Learn({Key(begin), After(Key(begin))}, 1000);
  }
  EXPECT_THAT(Usable(), SizeIs(DeadRuns::kRunsMax));
  EXPECT_EQ(Usable().front(), Between("a", "b"));
}

TEST_F(DeadRunsTest, OfTooManyRunsThatAreUsedTheShortestGo) {
  Learn(Between("a", "b"), 1000);
  for (size_t i = 0; i < DeadRuns::kRunsMax; ++i) {
    const std::string begin = "k" + std::to_string(100'000 + i);
    Learn({Key(begin), After(Key(begin))}, i);
  }
  EXPECT_EQ(Usable().front(), Between("a", "b"));
  EXPECT_EQ(Usable()[1].begin, Key("k100001"));
}

TEST_F(DeadRunsTest, PutsMakeNoMoreThanTooManyRuns) {
  Learn(Between("a", "z"));
  for (size_t i = 0; i < 10 * DeadRuns::kRunsMax; ++i) Put({"k" + std::to_string(100'000 + i)});
  EXPECT_THAT(Usable(), SizeIs(DeadRuns::kRunsMax));
}

TEST_F(DeadRunsTest, LongKeysTakeThePlaceOfOthers) {
  for (size_t i = 0; i < DeadRuns::kRunsMax; ++i) {
    const std::string begin = std::string(DeadRuns::kBytesMax / 10, 'k') + std::to_string(100'000 + i);
    Learn({Key(begin), After(Key(begin))});
  }
  EXPECT_THAT(Usable(), SizeIs(4));
}

TEST_F(DeadRunsTest, RunsOfAnEarlierIndexGo) {
  Learn(Between("b", "d"));
  const DeadRun later{Key("p", "i002"), Key("r", "i002")};
  Learn(later);
  EXPECT_THAT(runs_.runs(), ElementsAre(later));
  // From a page that began before the other index was in use.
  Learn(Between("b", "d"));
  EXPECT_THAT(runs_.runs(), ElementsAre(later));
}

}  // namespace
}  // namespace lapse::engine
