// What the change log shows for the items of a deleted partition key.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "engine/catalog/counts/census.h"
#include "engine/partition/erasure/erasure_fixture.h"
#include "engine/records/changes/change_log.h"
#include "engine/records/ids/families.h"

namespace lapse::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class ErasureLogTest : public ErasureFixture {
 protected:
  ContainerPtr MakeLogged(std::optional<int32_t> default_ttl) { return MakeContainer("c", default_ttl, 0, kHour_s); }

  // Returns "kind previous>current @time" for each new change in the log.
  std::vector<std::string> NewChanges(const ContainerPtr& container) {
    std::vector<std::string> events;
    ChangesOptions options;
    options.after = position_;
    options.items_max = 2;
    for (bool more = true; more;) {
      auto page = container->ReadLog(options, [&](const LoggedChange& change, Place) {
        static constexpr const char* kKinds[] = {"", "create", "replace", "delete", "expiry"};
        events.push_back(std::string(kKinds[static_cast<int>(change.kind)]) + " " + std::string(change.previous_doc) +
                         ">" + std::string(change.current) + " @" + std::to_string(change.time_ms / 1000 - kStart_s));
        EXPECT_TRUE(lsns_.insert(change.lsn).second) << "each has its own LSN";
        return true;
      });
      EXPECT_TRUE(page.ok()) << page.status().ToString();
      if (!page.ok()) break;
      options.after = page->last;
      more = page->more;
    }
    position_ = options.after;
    return events;
  }

  Sequence position_ = 0;
  std::set<Lsn> lsns_;
};

TEST_F(ErasureLogTest, EachItemIsLoggedOnceAsADeleteOfThatTime) {
  ContainerPtr c = MakeLogged(1000);
  CreateMany(c, "a", 3);
  EXPECT_EQ(NewChanges(c).size(), 3U);
  PassSeconds(5);
  ASSERT_TRUE(Erase(c, "a").ok());
  EXPECT_THAT(NewChanges(c), IsEmpty());
  PassSeconds(2);
  ASSERT_TRUE(CreateIn(c, "a", "id1", "new").ok());
  EXPECT_THAT(NewChanges(c), ElementsAre("delete a1> @5", "create >new @7"));
  Restart();
  c = Find("c");
  SweepAll();
  EXPECT_THAT(NewChanges(c), UnorderedElementsAre("delete a0> @5", "delete a2> @5"));
  SweepAll();
  EXPECT_THAT(NewChanges(c), IsEmpty());
}

TEST_F(ErasureLogTest, AnItemWhoseTimeRunsOutBeforeTheSweepWasDeletedAllTheSame) {
  ContainerPtr c = MakeLogged(10);
  CreateMany(c, "a", 2);
  CreateMany(c, "own", 1, 8);
  CreateMany(c, "b", 1);
  EXPECT_EQ(NewChanges(c).size(), 4U);
  PassSeconds(5);
  ASSERT_TRUE(Erase(c, "a").ok());
  ASSERT_TRUE(Erase(c, "own").ok());
  PassSeconds(50);
  ASSERT_TRUE(CreateIn(c, "a", "id0", "new").ok());
  EXPECT_THAT(NewChanges(c), ElementsAre("delete a0> @5", "create >new @55"));
  SweepAll();
  EXPECT_THAT(NewChanges(c), UnorderedElementsAre("delete a1> @5", "delete own0> @5", "expiry b0> @10"));
  EXPECT_EQ(Census(*c).PurgedSoFar()->total.items, 1);
}

TEST_F(ErasureLogTest, AnItemThatHadExpiredBeforeIsLoggedAsAnExpiry) {
  ContainerPtr c = MakeLogged(10);
  CreateMany(c, "a", 2);
  EXPECT_EQ(NewChanges(c).size(), 2U);
  PassSeconds(10);
  ASSERT_TRUE(CreateIn(c, "a", "lives", "l").ok());
  ASSERT_TRUE(Erase(c, "a").ok());
  // A longer lifetime does not matter: the item had expired by then.
  ASSERT_TRUE(SetDefaultTtl("c", 1000).ok());
  PassSeconds(3);
  ASSERT_TRUE(CreateIn(c, "a", "id0", "new").ok());
  SweepAll();
  EXPECT_THAT(NewChanges(c), UnorderedElementsAre("create >l @10", "expiry a0> @10", "create >new @13",
                                                  "expiry a1> @10", "delete l> @10"));
}

TEST_F(ErasureLogTest, AnItemOfTheFirstDeletionThatExpiresBeforeTheSecondWasDeletedByTheFirst) {
  ContainerPtr c = MakeLogged(10);
  CreateMany(c, "a", 1);
  PassSeconds(1);
  ASSERT_TRUE(Erase(c, "a").ok());
  PassSeconds(20);
  ASSERT_TRUE(CreateIn(c, "a", "new", "n").ok());
  ASSERT_TRUE(Erase(c, "a").ok());
  SweepAll();
  EXPECT_THAT(NewChanges(c), UnorderedElementsAre("create >a0 @0", "create >n @21", "delete a0> @1", "delete n> @21"));
}

TEST_F(ErasureLogTest, ALogThatBeginsLaterDoesNotShowIt) {
  ContainerPtr c = MakeContainer("c", 1000);
  CreateMany(c, "a", 3);
  ASSERT_TRUE(Erase(c, "a").ok());
  ASSERT_TRUE(engine_->catalog_store().ReplaceContainer("db", "c", {1000, "", kHour_s, {}}, 0).ok());
  position_ = c->partitions()[0]->last_sequence();
  ASSERT_TRUE(CreateIn(c, "a", "id0", "new").ok());
  SweepAll();
  EXPECT_EQ(Records(kErasedFamily), 0U);
  EXPECT_EQ(Records(kHeadFamily), 1U);
  EXPECT_THAT(NewChanges(c), ElementsAre("create >new @0"));
}

TEST_F(ErasureLogTest, BodiesThatTheLogHoldsStayForIt) {
  ContainerPtr c = MakeLogged(10);
  CreateMany(c, "a", 3);
  EXPECT_EQ(NewChanges(c).size(), 3U);
  PassSeconds(10);
  SweepAll();
  // The items are purged: the log shows them from their bodies.
  ASSERT_TRUE(Erase(c, "a").ok());
  SweepAll();
  EXPECT_EQ(Records(kErasedFamily), 0U);
  EXPECT_THAT(NewChanges(c), ElementsAre("expiry a0> @10", "expiry a1> @10", "expiry a2> @10"));
}

TEST_F(ErasureLogTest, TheLogIsTrimmedWhileKeysWaitToBeSwept) {
  ContainerPtr c = MakeContainer("c", std::nullopt, 400, kHour_s);
  CreateMany(c, "a", 3);
  PassSeconds(2 * kHour_s);
  ASSERT_TRUE(Erase(c, "a").ok());
  // Users leave no units for the sweep.
  c->budget(0).Charge(400'000);
  PassSeconds(1);
  c->budget(0).Charge(400'000);
  engine_->SweepTurn();
  EXPECT_EQ(Census(*c).Erased()->items, 3);
  EXPECT_GT(c->partitions()[0]->tally().log_floor, 0U);
}

}  // namespace
}  // namespace lapse::engine
