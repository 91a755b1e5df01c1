#include "engine/records/changes/change_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "engine/catalog/counts/census.h"
#include "engine/engine_fixture.h"
#include "engine/records/ids/families.h"
#include "engine/records/items/item_keys.h"
#include "engine/shard/sweep/sweeper.h"

namespace lapse::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ChangeLogTest : public EngineFixture {
 protected:
  ContainerPtr MakeLogged(std::optional<int32_t> default_ttl) { return MakeContainer("c", default_ttl, 0, kHour_s); }

  // Returns "kind previous>current @time" for every event after the position, and advances the position.
  std::vector<std::string> Log(const ContainerPtr& container, uint64_t* position) {
    std::vector<std::string> events;
    ChangesOptions options;
    options.after = *position;
    options.items_max = 2;
    for (bool more = true; more;) {
      auto page = container->ReadLog(options, [&](const LoggedChange& change, Place) {
        static constexpr const char* kKinds[] = {"", "create", "replace", "delete", "expiry"};
        events.push_back(std::string(kKinds[static_cast<int>(change.kind)]) + " " + std::string(change.previous_doc) +
                         ">" + std::string(change.current) + " @" + std::to_string(change.time_ms / 1000 - kStart_s));
        return true;
      });
      EXPECT_TRUE(page.ok()) << page.status().ToString();
      if (!page.ok()) break;
      options.after = page->last;
      more = page->more;
    }
    *position = options.after;
    return events;
  }
  static bool TakeAnyChange(const LoggedChange&, Place) { return true; }
  std::vector<std::string> Log(const ContainerPtr& container) {
    uint64_t position = 0;
    return Log(container, &position);
  }
};

TEST_F(ChangeLogTest, KeepsEveryChangeWithItsImages) {
  ContainerPtr c = MakeLogged(std::nullopt);
  ASSERT_TRUE(Create(c, "a", "a1").ok());
  PassSeconds(1);
  ASSERT_TRUE(Put(c, ItemWrite::Kind::kReplace, "a", "a2").ok());
  ASSERT_TRUE(Put(c, ItemWrite::Kind::kUpsert, "b", "b1").ok());
  EXPECT_EQ(Create(c, "a", "no").status().code(), Code::kAlreadyExists);
  PassSeconds(1);
  ASSERT_TRUE(Put(c, ItemWrite::Kind::kDelete, "a", "").ok());
  EXPECT_THAT(Log(c), ElementsAre("create >a1 @0", "replace a1>a2 @1", "create >b1 @1", "delete a2> @2"));
}

TEST_F(ChangeLogTest, AnExpiryIsLoggedOnceWithTheTimeItBecameInvisible) {
  ContainerPtr c = MakeLogged(10);
  uint64_t position = 0;
  ASSERT_TRUE(Create(c, "inherits", "i").ok());
  ASSERT_TRUE(Create(c, "own", "o", 5).ok());
  ASSERT_TRUE(Create(c, "over", "v", 5).ok());
  EXPECT_EQ(Log(c, &position).size(), 3U);
  PassSeconds(20);
  ASSERT_TRUE(Create(c, "over", "v2", -1).ok());
  EXPECT_THAT(Log(c, &position), ElementsAre("expiry v> @5", "create >v2 @20"));
  engine_->SweepTurn();
  EXPECT_THAT(Log(c, &position), ElementsAre("expiry i> @10", "expiry o> @5"));
  EXPECT_FALSE(engine_->SweepTurn());
  EXPECT_THAT(Log(c, &position), IsEmpty());
}

TEST_F(ChangeLogTest, AnExpiryByAPolicyChangeHasTheTimeOfTheChange) {
  ContainerPtr c = MakeLogged(-1);
  ASSERT_TRUE(Create(c, "a", "a").ok());
  PassSeconds(100);
  ASSERT_TRUE(SetDefaultTtl("c", 10).ok());
  PassSeconds(50);
  ASSERT_TRUE(SetDefaultTtl("c", std::nullopt).ok());
  engine_->SweepTurn();
  EXPECT_THAT(Log(c), ElementsAre("create >a @0", "expiry a> @100"));
}

TEST_F(ChangeLogTest, WhatIsOlderThanItIsKeptCannotBeRead) {
  ContainerPtr c = MakeLogged(std::nullopt);
  ASSERT_TRUE(Create(c, "a", "a").ok());
  PassSeconds(kHour_s / 2);
  ASSERT_TRUE(Create(c, "b", "b").ok());
  uint64_t middle = 0;
  EXPECT_EQ(Log(c, &middle).size(), 2U);
  PassSeconds(kHour_s / 2 + kHour_s / 5);
  engine_->SweepTurn();
  ASSERT_TRUE(Create(c, "c", "c").ok());
  EXPECT_EQ(c->ReadLog({}, TakeAnyChange).status().code(), Code::kNoLongerKept);
  EXPECT_THAT(Log(c, &middle), ElementsAre("create >c @4320"));
}

TEST_F(ChangeLogTest, TrimmingGoesByAgeWhateverTheNumber) {
  ContainerPtr c = MakeLogged(std::nullopt);
  for (int second = 0; second < 100; ++second) {
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(Create(c, std::to_string(second * 50 + i), "d").ok());
    PassSeconds(1);
  }
  PassSeconds(kHour_s + kHour_s / 10 - 100);
  engine_->SweepTurn();
  EXPECT_EQ(c->partitions()[0]->tally().log_floor, 50U * 100) << "all are an hour old";
  ASSERT_TRUE(Create(c, "a", "a").ok());
  PassSeconds(1);
  ASSERT_TRUE(Create(c, "b", "b").ok());
  PassSeconds(kHour_s + kHour_s / 10 - 2);
  engine_->SweepTurn();
  EXPECT_EQ(c->partitions()[0]->tally().log_floor, 5000U) << "none is a tenth older than that";
  PassSeconds(1);
  engine_->SweepTurn();
  EXPECT_EQ(c->partitions()[0]->tally().log_floor, 5002U) << "with one go all that are an hour old";
}

// If users take all of a container's throughput, its sweeper gets none. The log must still not grow without bound.
TEST_F(ChangeLogTest, IsTrimmedUnderOverload) {
  ContainerPtr c = MakeContainer("c", 10, 400, kHour_s);
  Budget& budget = c->budget(0);
  for (const char* id : {"a", "b"}) ASSERT_TRUE(Create(c, id, id).ok());
  // Leaves no units in the hour's last second, nor in this one.
  auto pass_overloaded = [&](int64_t seconds) {
    PassSeconds(seconds - 1);
    for (int second = 0; second < 2; ++second) {
      while (budget.Admit() == 0) budget.Charge(100'000);
      if (second == 0) PassSeconds(1);
    }
    engine_->SweepTurn();
  };
  pass_overloaded(20);
  EXPECT_EQ(Census(*c).Expired()->items, 2) << "the sweeper waits";
  EXPECT_EQ(c->partitions()[0]->tally().log_floor, 0U);
  ASSERT_TRUE(Create(c, "c", "c").ok());
  pass_overloaded(kHour_s + kHour_s / 10);
  EXPECT_EQ(Census(*c).Expired()->items, 3);
  EXPECT_EQ(c->partitions()[0]->tally().log_floor, 3U);
  EXPECT_EQ(Census(*c).PurgedSoFar()->milli_ru, 0);
  ASSERT_TRUE(Create(c, "d", "d").ok()) << "into a log that is empty";
  pass_overloaded(kHour_s + kHour_s / 5);
  EXPECT_EQ(c->partitions()[0]->tally().log_floor, 4U);
}

// Compaction drops what is trimmed, even under snapshots, but not under a page that began before.
TEST_F(ChangeLogTest, APageThatTrimmingOvertakesIsWhole) {
  ContainerPtr c = MakeLogged(std::nullopt);
  for (const char* id : {"a", "b", "c"}) ASSERT_TRUE(Create(c, id, id).ok());
  std::vector<Sequence> shown;
  auto page = c->ReadLog({}, [&](const LoggedChange& change, Place) {
    if (shown.empty()) StepWallSeconds(2 * kHour_s);
    shown.push_back(change.sequence);
    engine_->SweepTurn();
    EXPECT_TRUE(shard_->Compact(kLogFamily, {}, {}).ok());
    return true;
  });
  ASSERT_TRUE(page.ok()) << page.status().ToString();
  EXPECT_THAT(shown, ElementsAre(1, 2, 3));
  EXPECT_EQ(c->ReadLog({}, TakeAnyChange).status().code(), Code::kNoLongerKept);
  ASSERT_TRUE(shard_->Compact(kLogFamily, {}, {}).ok());
  std::unique_ptr<store::Iterator> left = shard_->NewIterator(kLogFamily, {});
  left->SeekToFirst();
  EXPECT_FALSE(left->Valid()) << "once the page has ended they go";
}

// A reader can resume at the end of a page, however fast writers are.
TEST_F(ChangeLogTest, TakesItsOwnPositionsWhileManyWrite) {
  MakeLogged(-1);
  engine_.reset();
  ThreadPool commits("commits", 2);
  auto engine = *Engine::Open({}, {{shard_.get(), nullptr}}, &commits);
  ContainerPtr c = *engine->catalog().FindContainer("db", "c");
  constexpr int kWriters = 24;
  constexpr int kWritesEach = 50;
  std::atomic<int> writing{kWriters};
  std::vector<std::thread> writers;
  for (int w = 0; w < kWriters; ++w) {
    writers.emplace_back([&, w] {
      for (int i = 0; i < kWritesEach; ++i) {
        std::promise<bool> done;
        ItemWrite write;
        write.kind = ItemWrite::Kind::kUpsert;
        write.address = Address(*c, "pk", std::to_string(w));
        write.document = "d";
        c->Write(std::move(write), [&](const Result<ItemWritten>& written) { done.set_value(written.ok()); });
        EXPECT_TRUE(done.get_future().get());
      }
      --writing;
    });
  }
  ChangesOptions log, latest;
  size_t changes = 0;
  const auto read_both = [&] {
    auto of_log = c->ReadLog(log, [&](const LoggedChange&, Place) { return ++changes > 0; });
    ASSERT_TRUE(of_log.ok()) << of_log.status().ToString();
    log.after = of_log->last;
    auto of_latest = c->ReadChanges(latest, TakeAny);
    ASSERT_TRUE(of_latest.ok()) << of_latest.status().ToString();
    latest.after = of_latest->last;
    latest.from_now = !latest.from_now;  // alternates with a page from the current end
  };
  while (writing > 0) read_both();
  for (std::thread& writer : writers) writer.join();
  while (log.after < c->partitions()[0]->last_sequence()) read_both();
  EXPECT_EQ(changes, static_cast<size_t>(kWriters * kWritesEach));
  c.reset();
  engine.reset();
}

TEST_F(ChangeLogTest, ALogThatIsTurnedOnBeginsThere) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  ASSERT_TRUE(Create(c, "a", "a1").ok());
  EXPECT_EQ(c->ReadLog({}, TakeAnyChange).status().code(), Code::kUnsupported);
  ASSERT_TRUE(engine_->catalog_store().ReplaceContainer("db", "c", {std::nullopt, "", kHour_s, {}}, 0).ok());
  EXPECT_EQ(c->ReadLog({}, TakeAnyChange).status().code(), Code::kNoLongerKept);
  uint64_t position = c->partitions()[0]->last_sequence();
  ASSERT_TRUE(Put(c, ItemWrite::Kind::kReplace, "a", "a2").ok());
  EXPECT_THAT(Log(c, &position), ElementsAre("replace a1>a2 @0"));
  Restart();
  c = Find("c");
  ASSERT_TRUE(Put(c, ItemWrite::Kind::kReplace, "a", "a3").ok());
  EXPECT_THAT(Log(c, &position), ElementsAre("replace a2>a3 @0"));
  ASSERT_TRUE(engine_->catalog_store().ReplaceContainer("db", "c", {std::nullopt, "", 0, {}}, 0).ok());
  engine_->SweepTurn();
  EXPECT_EQ(c->ReadLog({}, TakeAnyChange).status().code(), Code::kUnsupported);
}

}  // namespace
}  // namespace lapse::engine
