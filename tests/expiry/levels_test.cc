// Expiry in a store of several levels: records beneath a dropped table must not reappear.
#include <gmock/gmock.h>

#include <string>

#include "engine/catalog/counts/census.h"
#include "tests/expiry/rocks_engine_fixture.h"
#include "tests/expiry/table_levels.h"

namespace lapse::expiry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LevelsTest : public RocksEngineFixture {
 protected:
  // Moves what was written since the last call into a table of this level.
  void Settle(const std::string& family, int level) {
    Close();
    MoveNewTables(path(), family, level);
    Open();
  }
  std::string Levels(const std::string& family) {
    Close();
    std::string levels = LevelsWithTables(path(), family);
    Open();
    return levels;
  }
};

// Dropping a table of heads unread would uncover heads in a lower table that covers a wider range.
TEST_F(LevelsTest, AnOlderVersionThatWouldHaveLivedDoesNotComeBack) {
  for (const char* id : {"a", "b", "c"}) Put(ItemWrite::Kind::kCreate, id, "immortal", -1);
  Put(ItemWrite::Kind::kCreate, "d", "of another container", -1, "other");
  Settle("head", 6);
  for (const char* id : {"a", "b", "c"}) Put(ItemWrite::Kind::kReplace, id, "mortal", 5);
  Settle("head", 5);
  ASSERT_EQ(Levels("head"), "56");
  PassSeconds(5);
  PurgeAndReclaim();
  EXPECT_EQ(Read("a"), Code::kNotFound);
  EXPECT_THAT(Feed(), IsEmpty());
  EXPECT_EQ(*engine::Census(*Container()).Live(), (engine::Count{0, 0}));
  Put(ItemWrite::Kind::kCreate, "b", "again");
  EXPECT_THAT(Feed(), ElementsAre("again"));
}

TEST_F(LevelsTest, AFileGoesWhenAllOfItIsDeadAndNotBefore) {
  ASSERT_TRUE(engine_->catalog_store().ReplaceContainer("db", "c", {10, "", 0, {}}, 0).ok());
  Put(ItemWrite::Kind::kCreate, "early", "early");
  PassSeconds(5);
  Put(ItemWrite::Kind::kCreate, "late", "late");
  Settle("body", 6);
  PassSeconds(5);
  PurgeAndReclaim();
  EXPECT_THAT(Feed(), ElementsAre("late"));
  EXPECT_EQ(Levels("body"), "6");
  PassSeconds(5);
  while (engine_->SweepTurn()) continue;
  engine_->ReclaimTurn();
  EXPECT_THAT(Feed(), IsEmpty());
  EXPECT_EQ(Levels("body"), "");
}

// The dropped table has the deletion. The table below it has the body, and also covers records that are not dead.
TEST_F(LevelsTest, ADeletedBodyDoesNotComeBackWithAFileThatIsDropped) {
  Put(ItemWrite::Kind::kCreate, "deleted", "deleted");
  Put(ItemWrite::Kind::kCreate, "replaced", "replaced");
  Put(ItemWrite::Kind::kCreate, "mortal", "mortal", 5);
  Put(ItemWrite::Kind::kCreate, "immortal", "immortal", -1);
  Settle("body", 6);
  Put(ItemWrite::Kind::kDelete, "deleted", "");
  Put(ItemWrite::Kind::kReplace, "replaced", "latest", -1);
  Put(ItemWrite::Kind::kDelete, "replaced", "");
  Settle("body", 5);
  ASSERT_EQ(Levels("body"), "56");
  PassSeconds(5);
  PurgeAndReclaim();
  EXPECT_THAT(Changes(), ElementsAre("immortal"));
  EXPECT_THAT(Feed(), ElementsAre("immortal"));
  EXPECT_NE(Levels("body"), "56") << "nothing was dropped";
  EXPECT_THAT(Changes(), ElementsAre("immortal"));
}

}  // namespace
}  // namespace lapse::expiry
