// Expiry in a store of several levels: what lies under a table that goes must not come back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/executor.h"
#include "base/log.h"
#include "engine/engine.h"
#include "engine/expiry/census.h"
#include "engine/expiry/purge_filter.h"
#include "engine/expiry/reclaimer.h"
#include "engine/partition.h"
#include "store/rocks/rocks_shard.h"
#include "store/temporary_directory.h"
#include "tests/expiry/table_levels.h"

namespace lapse::expiry {
namespace {

using engine::ItemWrite;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LevelsTest : public ::testing::Test {
 protected:
  LevelsTest() {
    SetLogLevel(LogLevel::kOff);
    Open();
    EXPECT_TRUE(engine_->catalog().CreateDatabase("db", 0, "").ok());
    for (const char* name : {"c", "other"}) {
      engine::ContainerDefinition definition;
      definition.name = name;
      definition.partition_key.paths = {doc::Path({"pk"})};
      definition.default_ttl = -1;
      EXPECT_TRUE(engine_->catalog().CreateContainer("db", definition).ok());
    }
  }
  ~LevelsTest() override {
    Close();
    SetLogLevel(LogLevel::kInfo);
  }

  void Open() {
    store::RocksOptions rocks;
    rocks.path = path();
    filter_ = std::make_unique<engine::PurgeFilter>();
    auto shard = store::OpenRocksShard(rocks, engine::EngineFamilies(filter_.get()));
    ASSERT_TRUE(shard.ok()) << shard.status().ToString();
    shard_ = *std::move(shard);
    engine::EngineOptions options;
    options.background_clock = false;
    options.background_sweeper = false;
    options.wall = &wall_;
    options.steady = &steady_;
    options.purge_filter = filter_.get();
    auto engine = engine::Engine::Open(options, shard_.get(), &executor_);
    ASSERT_TRUE(engine.ok()) << engine.status().ToString();
    engine_ = *std::move(engine);
  }
  void Close() {
    engine_.reset();
    shard_.reset();
  }
  std::string path() const { return (directory_.path() / "shard").string(); }

  // What was written since the last time goes into a table of this level.
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

  engine::ContainerPtr Container(const std::string& name = "c") {
    return *engine_->catalog().FindContainer("db", name);
  }
  engine::ItemAddress AddressOf(const std::string& id) {
    auto key = engine::PartitionKeyComponent::String("pk");
    return {engine::EffectivePartitionKey(Container()->partition_key(), {&key, 1}), engine::StringItemId(id)};
  }

  void Put(ItemWrite::Kind kind, const std::string& id, const std::string& document,
           std::optional<int32_t> own_ttl = std::nullopt, const std::string& container = "c") {
    ItemWrite write;
    write.kind = kind;
    write.address = AddressOf(id);
    write.document = document;
    write.own_ttl = own_ttl;
    Container(container)->Write(std::move(write), [](const Result<engine::ItemWritten>& done) {
      EXPECT_TRUE(done.ok()) << done.status().ToString();
    });
  }

  Code Read(const std::string& id) { return Container()->Read(AddressOf(id)).status().code(); }
  std::vector<std::string> Feed() {
    std::vector<std::string> documents;
    EXPECT_TRUE(
        Container()->ReadFeed({}, [&](const engine::Item& item) { documents.emplace_back(item.document); }).ok());
    return documents;
  }
  std::vector<std::string> Changes() {
    std::vector<std::string> documents;
    EXPECT_TRUE(
        Container()->ReadChanges({}, [&](const engine::Item& item) { documents.emplace_back(item.document); }).ok());
    return documents;
  }

  void PassSeconds(int64_t seconds) {
    wall_.Advance(seconds * 1000);
    steady_.AdvanceMs(seconds * 1000);
  }
  void PurgeAndReclaim() {
    while (engine_->sweeper().RunTurn()) continue;
    while (engine_->reclaimer().RunTurn()) continue;
  }

  store::TemporaryDirectory directory_;
  ManualWallClock wall_{1'750'000'000'000};
  ManualSteadyClock steady_;
  InlineExecutor executor_;
  std::unique_ptr<engine::PurgeFilter> filter_;
  std::unique_ptr<store::Shard> shard_;
  std::unique_ptr<engine::Engine> engine_;
};

// A table of heads that goes unread would uncover those in a table below that reaches further.
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
  EXPECT_EQ(*Container()->TakeCensus().Live(), (engine::Count{0, 0}));
  Put(ItemWrite::Kind::kCreate, "b", "again");
  EXPECT_THAT(Feed(), ElementsAre("again"));
}

TEST_F(LevelsTest, AFileGoesWhenAllOfItIsDeadAndNotBefore) {
  ASSERT_TRUE(engine_->catalog().ReplaceContainer("db", "c", {10, ""}, 0).ok());
  Put(ItemWrite::Kind::kCreate, "early", "early");
  PassSeconds(5);
  Put(ItemWrite::Kind::kCreate, "late", "late");
  Settle("body", 6);
  PassSeconds(5);
  PurgeAndReclaim();
  EXPECT_THAT(Feed(), ElementsAre("late"));
  EXPECT_EQ(Levels("body"), "6");
  PassSeconds(5);
  while (engine_->sweeper().RunTurn()) continue;
  engine_->reclaimer().RunTurn();
  EXPECT_THAT(Feed(), IsEmpty());
  EXPECT_EQ(Levels("body"), "");
}

// The table that goes has the deletion; the one below it, which reaches beyond what is dead, has the body.
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
