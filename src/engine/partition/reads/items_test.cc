#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "engine/catalog/counts/census.h"
#include "engine/engine_fixture.h"
#include "engine/records/items/feed_position.h"

namespace lapse::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class ItemsTest : public EngineFixture {};

TEST_F(ItemsTest, CreateReadReplaceDelete) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  auto created = Create(c, "a", "one");
  ASSERT_TRUE(created.ok());
  EXPECT_TRUE(created->created);
  EXPECT_EQ(created->meta.version.ts_s, kStart_s);
  EXPECT_EQ(Read(c, "a"), "one");

  EXPECT_EQ(Create(c, "a", "two").status().code(), Code::kAlreadyExists);
  EXPECT_EQ(Read(c, "a"), "one");

  PassSeconds(5);
  auto replaced = Put(c, ItemWrite::Kind::kReplace, "a", "two");
  ASSERT_TRUE(replaced.ok());
  EXPECT_FALSE(replaced->created);
  EXPECT_EQ(replaced->meta.number, created->meta.number);
  EXPECT_GT(replaced->meta.version.sequence, created->meta.version.sequence);
  EXPECT_EQ(replaced->meta.version.ts_s, kStart_s + 5);
  EXPECT_EQ(Read(c, "a"), "two");

  EXPECT_TRUE(Put(c, ItemWrite::Kind::kDelete, "a", "").ok());
  EXPECT_EQ(Read(c, "a"), "not found");
  EXPECT_EQ(Put(c, ItemWrite::Kind::kDelete, "a", "").status().code(), Code::kNotFound);
  EXPECT_EQ(Put(c, ItemWrite::Kind::kReplace, "a", "x").status().code(), Code::kNotFound);

  auto again = Create(c, "a", "three");
  ASSERT_TRUE(again.ok());
  EXPECT_GT(again->meta.number, created->meta.number);
}

TEST_F(ItemsTest, UpsertCreatesThenReplaces) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  EXPECT_TRUE(Put(c, ItemWrite::Kind::kUpsert, "a", "one")->created);
  EXPECT_FALSE(Put(c, ItemWrite::Kind::kUpsert, "a", "two")->created);
  EXPECT_EQ(Read(c, "a"), "two");
}

TEST_F(ItemsTest, PreconditionsAreJudgedAtCommit) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  ItemVersion first = Create(c, "a", "one")->meta.version;
  ItemWrite write;
  write.kind = ItemWrite::Kind::kReplace;
  write.address = Address(*c, "pk", "a");
  write.document = "two";
  write.precondition = {.kind = Precondition::Kind::kMatches, .version = first};
  ItemWrite same = write;
  EXPECT_TRUE(Write(c, std::move(write)).ok());
  EXPECT_EQ(Write(c, std::move(same)).status().code(), Code::kPreconditionFailed);
  EXPECT_EQ(Read(c, "a"), "two");
}

TEST_F(ItemsTest, ConditionsOnWhatMustNotBeThere) {
  using Kind = Precondition::Kind;
  ContainerPtr c = MakeContainer("c", 10);
  auto upsert = [&](Precondition condition) {
    ItemWrite write;
    write.kind = ItemWrite::Kind::kUpsert;
    write.address = Address(*c, "pk", "a");
    write.precondition = condition;
    return Write(c, std::move(write));
  };
  ItemVersion first = upsert({Kind::kAbsent, {}})->meta.version;
  EXPECT_EQ(upsert({Kind::kAbsent, {}}).status().code(), Code::kPreconditionFailed);
  EXPECT_EQ(upsert({Kind::kDiffers, first}).status().code(), Code::kPreconditionFailed);
  EXPECT_FALSE(upsert({Kind::kExists, {}})->created);
  EXPECT_FALSE(upsert({Kind::kDiffers, first})->created);
  PassSeconds(10);
  EXPECT_TRUE(upsert({Kind::kAbsent, {}})->created) << "the item has expired";
}

TEST_F(ItemsTest, TheSameIdInTwoLogicalPartitionsIsTwoItems) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  for (const char* pk : {"x", "y"}) {
    ItemWrite write;
    write.address = Address(*c, pk, "a");
    write.document = pk;
    EXPECT_TRUE(Write(c, std::move(write)).ok());
  }
  EXPECT_EQ(c->Read(Address(*c, "x", "a"))->document, "x");
  EXPECT_EQ(c->Read(Address(*c, "y", "a"))->document, "y");
  FeedOptions only_x;
  only_x.scope.exact = Address(*c, "x", "a").key;
  EXPECT_THAT(Feed(c, only_x), ElementsAre("x"));
}

TEST_F(ItemsTest, ExpiryIsExactForEveryOperation) {
  ContainerPtr c = MakeContainer("c", 10);
  uint64_t first_rid = Create(c, "a", "one")->meta.number;
  ItemVersion version = Create(c, "kept", "kept", -1)->meta.version;
  Create(c, "own", "own", 20).status().ok();
  PassSeconds(9);
  EXPECT_EQ(Read(c, "a"), "one");
  EXPECT_EQ(Create(c, "a", "two").status().code(), Code::kAlreadyExists);
  PassSeconds(1);
  EXPECT_EQ(Read(c, "a"), "not found");
  EXPECT_THAT(Feed(c), UnorderedElementsAre("kept", "own"));
  EXPECT_EQ(Put(c, ItemWrite::Kind::kReplace, "a", "two").status().code(), Code::kNotFound);
  EXPECT_EQ(Put(c, ItemWrite::Kind::kDelete, "a", "").status().code(), Code::kNotFound);
  auto again = Put(c, ItemWrite::Kind::kUpsert, "a", "new");
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->created);
  EXPECT_NE(again->meta.number, first_rid);
  PassSeconds(10);
  EXPECT_THAT(Feed(c), ElementsAre("kept"));
  EXPECT_EQ(c->Read(Address(*c, "pk", "kept"))->meta.version, version);
}

TEST_F(ItemsTest, WhatExpiredNeverComesBack) {
  for (std::optional<int32_t> next : {std::optional<int32_t>(), std::optional(-1), std::optional(1000)}) {
    ContainerPtr c = MakeContainer("c" + std::to_string(next.value_or(0)), 10);
    std::string name = c->state()->definition.name;
    Create(c, "dead", "dead").status().ok();
    Create(c, "own dead", "own dead", 5).status().ok();
    PassSeconds(5);
    Create(c, "live", "live").status().ok();
    PassSeconds(5);
    ASSERT_TRUE(SetDefaultTtl(name, next).ok());
    EXPECT_THAT(Feed(c), ElementsAre("live"));
    Restart();
    c = Find(name);
    EXPECT_THAT(Feed(c), ElementsAre("live"));
    PassSeconds(5);
    EXPECT_EQ(Read(c, "live"), "live");
    ASSERT_TRUE(SetDefaultTtl(name, 10).ok());
    EXPECT_THAT(Feed(c), IsEmpty());
    ASSERT_TRUE(SetDefaultTtl(name, std::nullopt).ok());
    EXPECT_THAT(Feed(c), IsEmpty());
  }
}

TEST_F(ItemsTest, TallyCountsItemsAndBytes) {
  ContainerPtr c = MakeContainer("c", std::nullopt, 18'000);
  ASSERT_EQ(c->partitions().size(), 3U);
  for (int i = 0; i < 30; ++i) {
    ItemWrite write;
    write.address = Address(*c, "pk" + std::to_string(i), "a");
    write.document = "12345";
    ASSERT_TRUE(Write(c, std::move(write)).ok());
  }
  ItemWrite smaller;
  smaller.kind = ItemWrite::Kind::kReplace;
  smaller.address = Address(*c, "pk0", "a");
  smaller.document = "1";
  ASSERT_TRUE(Write(c, std::move(smaller)).ok());
  ItemWrite gone;
  gone.kind = ItemWrite::Kind::kDelete;
  gone.address = Address(*c, "pk1", "a");
  ASSERT_TRUE(Write(c, std::move(gone)).ok());
  EXPECT_EQ(*Census(*c).Live(), (Count{29, 28 * 5 + 1}));
  Restart();
  EXPECT_EQ(*Census(*Find("c")).Live(), (Count{29, 28 * 5 + 1}));
}

TEST_F(ItemsTest, FeedPagesShowEachItemOnce) {
  ContainerPtr c = MakeContainer("c", std::nullopt, 25'000);
  std::set<std::string> expected;
  for (int i = 0; i < 100; ++i) {
    ItemWrite write;
    write.address = Address(*c, "pk" + std::to_string(i % 7), "id" + std::to_string(i));
    write.document = std::to_string(i);
    expected.insert(write.document);
    ASSERT_TRUE(Write(c, std::move(write)).ok());
  }
  for (int page : {1, 3, 99, 100, 101}) {
    FeedOptions options;
    options.items_max = page;
    std::vector<std::string> seen = Feed(c, options);
    EXPECT_EQ(seen.size(), 100U);
    EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()), expected);
  }
  std::vector<std::string> by_partition;
  for (const auto& partition : c->partitions()) {
    FeedOptions options;
    options.scope.range = partition->range();
    for (std::string& document : Feed(c, options)) by_partition.push_back(std::move(document));
  }
  EXPECT_EQ(by_partition.size(), 100U);
}

TEST_F(ItemsTest, AFeedPageEndsWhereItsReaderSaysButNeverEmptyHanded) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  for (int i = 0; i < 5; ++i) Create(c, "id" + std::to_string(i), std::to_string(i)).status().ok();
  FeedOptions options;
  std::vector<std::string> seen;
  for (int pages = 0; pages < 10 && (pages == 0 || !options.after.empty()); ++pages) {
    int on_page = 0;
    auto page = c->ReadFeed(options, [&](const Item& item, Place place) {
      EXPECT_EQ(place == Place::kMust, on_page == 0);
      if (place == Place::kIfItFits && on_page == 2) return false;
      ++on_page;
      seen.emplace_back(item.document);
      return true;
    });
    ASSERT_TRUE(page.ok());
    options.after = page->resume_after;
  }
  EXPECT_THAT(seen, ElementsAre("0", "1", "2", "3", "4"));
}

TEST_F(ItemsTest, APageThatTakesTooLongEndsWhereItIs) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  for (int i = 0; i < 3; ++i) Create(c, "id" + std::to_string(i), std::to_string(i)).status().ok();
  FeedOptions options;
  std::vector<std::string> seen;
  const auto slowly = [&](const Item& item, Place) {
    seen.emplace_back(item.document);
    PassSeconds(5);
    return true;
  };
  auto page = c->ReadFeed(options, slowly);
  ASSERT_TRUE(page.ok());
  EXPECT_THAT(seen, ElementsAre("0"));
  options.after = page->resume_after;
  ASSERT_TRUE(c->ReadFeed(options, slowly).ok());
  EXPECT_THAT(seen, ElementsAre("0", "1"));
  ChangesOptions changes;
  auto change_page = c->ReadChanges(changes, slowly);
  ASSERT_TRUE(change_page.ok());
  EXPECT_TRUE(change_page->more);
  EXPECT_EQ(change_page->last, 1U);
}

TEST_F(ItemsTest, FeedsComeInTheOrderOfCreation) {
  ContainerPtr c = MakeContainer("c", -1);
  auto put = [&](ItemWrite::Kind kind, const char* pk, const char* id, std::string document) {
    ItemWrite write;
    write.kind = kind;
    write.address = Address(*c, pk, id);
    write.document = std::move(document);
    ASSERT_TRUE(Write(c, std::move(write)).ok());
  };
  put(ItemWrite::Kind::kCreate, "x", "z", "1");
  put(ItemWrite::Kind::kCreate, "y", "a", "2");
  put(ItemWrite::Kind::kCreate, "x", "m", "3");
  put(ItemWrite::Kind::kCreate, "y", "b", "4");
  put(ItemWrite::Kind::kCreate, "x", "a", "5");
  put(ItemWrite::Kind::kReplace, "x", "z", "1 again");
  put(ItemWrite::Kind::kDelete, "y", "b", "");
  put(ItemWrite::Kind::kCreate, "y", "b", "6");
  for (int items_max : {1, 2, 100}) {
    FeedOptions whole;
    whole.items_max = items_max;
    EXPECT_THAT(Feed(c, whole), ElementsAre("1 again", "2", "3", "5", "6"));
    FeedOptions of_key;
    of_key.items_max = items_max;
    of_key.scope.exact = Address(*c, "x", "").key;
    EXPECT_THAT(Feed(c, of_key), ElementsAre("1 again", "3", "5"));
  }
}

TEST_F(ItemsTest, FeedRefusesAPositionOutsideItsRange) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  FeedOptions options;
  options.scope.exact = Address(*c, "pk", "a").key;
  options.after = FeedPosition{FeedPosition::Order::kMembers, 1, Address(*c, "other", "").key}.Encode();
  EXPECT_EQ(c->ReadFeed(options, TakeAny).status().code(), Code::kInvalidArgument);
  options.after = FeedPosition{FeedPosition::Order::kRecords, 1, {}}.Encode();
  EXPECT_EQ(c->ReadFeed(options, TakeAny).status().code(), Code::kInvalidArgument);
  options.after = "\xFE nowhere";
  EXPECT_EQ(c->ReadFeed(options, TakeAny).status().code(), Code::kInvalidArgument);
}

TEST_F(ItemsTest, WritersOnManyThreadsAgree) {
  ContainerPtr setup = MakeContainer("c", std::nullopt);
  engine_.reset();
  ThreadPool commits("commits", 2);
  EngineOptions options;
  options.background_clock = true;
  auto engine = *Engine::Open(options, {{shard_.get(), nullptr}}, &commits);
  ContainerPtr c = *engine->catalog().FindContainer("db", "c");
  constexpr int kThreads = 8;
  constexpr int kIdsEach = 200;
  std::atomic<int> created{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kIdsEach; ++i) {
        std::promise<Code> answered;
        ItemWrite write;
        write.address = Address(*c, "pk", std::to_string(i));
        write.document = "document";
        c->Write(std::move(write), [&](const Result<ItemWritten>& done) { answered.set_value(done.status().code()); });
        Code code = answered.get_future().get();
        if (code == Code::kOk) ++created;
        // Whichever thread created the item, every reader sees it from now on.
        EXPECT_EQ(Read(c, std::to_string(i)), "document");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(created.load(), kIdsEach);
  EXPECT_EQ(Census(*c).Live()->items, kIdsEach);
  c.reset();
  engine.reset();
}

TEST_F(ItemsTest, ReadersNeverSeeAnOlderVersionAfterANewer) {
  MakeContainer("c", std::nullopt);
  engine_.reset();
  ThreadPool commits("commits", 1);
  EngineOptions options;
  options.item_cache_bytes = 1 << 20;
  auto engine = *Engine::Open(options, {{shard_.get(), nullptr}}, &commits);
  ContainerPtr c = *engine->catalog().FindContainer("db", "c");
  std::atomic<bool> stop{false};
  std::vector<std::thread> readers;
  for (int t = 0; t < 3; ++t) {
    readers.emplace_back([&] {
      uint64_t newest = 0;
      while (!stop.load()) {
        auto item = c->Read(Address(*c, "pk", "a"));
        if (!item.ok()) continue;
        EXPECT_GE(item->meta.version.sequence, newest);
        newest = item->meta.version.sequence;
      }
    });
  }
  for (int i = 0; i < 500; ++i) {
    std::promise<uint64_t> answered;
    ItemWrite write;
    write.kind = ItemWrite::Kind::kUpsert;
    write.address = Address(*c, "pk", "a");
    write.document = std::to_string(i);
    c->Write(std::move(write), [&](Result<ItemWritten> done) { answered.set_value(done->meta.version.sequence); });
    uint64_t lsn = answered.get_future().get();
    EXPECT_EQ(c->Read(Address(*c, "pk", "a"))->meta.version.sequence, lsn);
  }
  stop.store(true);
  for (std::thread& reader : readers) reader.join();
  c.reset();
  engine.reset();
}

}  // namespace
}  // namespace lapse::engine
