#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "engine/catalog/view/catalog_view.h"
#include "engine/engine_fixture.h"
#include "engine/records/ids/families.h"
#include "engine/records/items/item_keys.h"
#include "engine/shard/purge/engine_families.h"
#include "engine/shard/sweep/sweeper.h"
#include "store/faulty/faulty_shard.h"

namespace lapse::engine {
namespace {

using ::testing::IsEmpty;

class CatalogTest : public EngineFixture {};

TEST_F(CatalogTest, DatabasesAreMadeFoundListedAndDropped) {
  CatalogStore& catalog = engine_->catalog_store();
  ASSERT_TRUE(catalog.CreateDatabase("b", 0, "properties").ok());
  ASSERT_TRUE(catalog.CreateDatabase("a", 0, "").ok());
  EXPECT_EQ(catalog.CreateDatabase("a", 0, "").status().code(), Code::kAlreadyExists);
  EXPECT_EQ((*engine_->catalog().FindDatabase("b"))->properties, "properties");
  EXPECT_EQ(engine_->catalog().ListDatabases()->size(), 2U);
  ASSERT_TRUE(catalog.DropDatabase("b").ok());
  EXPECT_EQ(catalog.DropDatabase("b").code(), Code::kNotFound);
  EXPECT_EQ(engine_->catalog().FindDatabase("b").status().code(), Code::kNotFound);
}

TEST_F(CatalogTest, ListingGoesOnWhileDatabasesComeAndGo) {
  CatalogStore& catalog = engine_->catalog_store();
  std::atomic<bool> done = false;
  std::thread lister([&] {
    while (!done) {
      const Result<std::vector<DatabasePtr>> listed = engine_->catalog().ListDatabases();
      for (const DatabasePtr& database : *listed) EXPECT_FALSE(database->name.empty());
    }
  });
  for (int i = 0; i < 300; ++i) {
    EXPECT_TRUE(catalog.CreateDatabase("d" + std::to_string(i), 0, "").ok());
    if (i % 3 != 0) continue;
    EXPECT_TRUE(catalog.DropDatabase("d" + std::to_string(i)).ok());
  }
  done = true;
  lister.join();
  EXPECT_EQ(engine_->catalog().ListDatabases()->size(), 200U);
}

TEST_F(CatalogTest, IdsAreNeverReused) {
  DatabaseId first = (*engine_->catalog_store().CreateDatabase("a", 0, ""))->id;
  ASSERT_TRUE(engine_->catalog_store().DropDatabase("a").ok());
  Restart();
  EXPECT_GT((*engine_->catalog_store().CreateDatabase("a", 0, ""))->id, first);
  ContainerId container = MakeContainer("c", std::nullopt)->id();
  ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "c", 0).ok());
  Restart();
  EXPECT_GT(MakeContainer("c", std::nullopt)->id(), container);
}

TEST_F(CatalogTest, ContainersSurviveARestart) {
  ContainerPtr made = MakeContainer("c", 30, 18'000);
  ASSERT_TRUE(engine_->catalog_store().ReplaceContainer("db", "c", {60, "new properties", 0, {}}, 1).ok());
  Restart();
  ContainerPtr found = Find("c");
  EXPECT_EQ(found->id(), made->id());
  EXPECT_EQ(found->state()->policy.default_ttl, 60);
  EXPECT_EQ(found->state()->definition.properties, "new properties");
  EXPECT_EQ(found->state()->revision, 2U);
  ASSERT_EQ(found->partition_key().paths.size(), 1U);
  EXPECT_EQ(found->partition_key().paths[0].names(), std::vector<std::string>{"pk"});
  ASSERT_EQ(found->partitions().size(), 3U);
  EXPECT_EQ(found->partitions().front()->range().min, "");
  EXPECT_EQ(found->partitions().back()->range().max, "\xFF");
}

TEST_F(CatalogTest, ReplaceAndDropAskForTheRevision) {
  MakeContainer("c", std::nullopt);
  EXPECT_EQ(engine_->catalog_store().ReplaceContainer("db", "c", {}, 7).status().code(), Code::kPreconditionFailed);
  EXPECT_EQ(engine_->catalog_store().DropContainer("db", "c", 7).code(), Code::kPreconditionFailed);
  EXPECT_TRUE(engine_->catalog_store().DropContainer("db", "c", 1).ok());
}

TEST_F(CatalogTest, ADroppedContainerTakesItsItemsWithIt) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  ASSERT_TRUE(Create(c, "a", "one", 100).ok());
  ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "c", 0).ok());
  // A request may still hold it: it is empty and refuses writes.
  EXPECT_EQ(Read(c, "a"), "not found");
  EXPECT_EQ(Create(c, "b", "two").status().code(), Code::kNotFound);
  for (store::FamilyId family : {kHeadFamily, kBodyFamily, kQueueFamily}) {
    auto records = shard_->NewIterator(family, {});
    records->SeekToFirst();
    EXPECT_FALSE(records->Valid());
  }
  EXPECT_THAT(Feed(MakeContainer("c", std::nullopt)), IsEmpty());
}

TEST_F(CatalogTest, APolicyChangeWritesOneSmallRecord) {
  ContainerPtr c = MakeContainer("c", 100);
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(Create(c, std::to_string(i), "document").ok());
  auto before = shard_->NewSnapshot();
  ASSERT_TRUE(SetDefaultTtl("c", 1000).ok());
  // The stored items are unchanged, byte by byte.
  for (store::FamilyId family : {kHeadFamily, kBodyFamily, kQueueFamily}) {
    store::IterateOptions as_before;
    as_before.snapshot = before.get();
    auto old_records = shard_->NewIterator(family, as_before);
    auto new_records = shard_->NewIterator(family, {});
    old_records->SeekToFirst();
    for (new_records->SeekToFirst(); new_records->Valid(); new_records->Next(), old_records->Next()) {
      ASSERT_TRUE(old_records->Valid());
      EXPECT_EQ(new_records->key(), old_records->key());
      EXPECT_EQ(new_records->value(), old_records->value());
    }
    EXPECT_FALSE(old_records->Valid());
  }
}

// After a power cut, relaxed durability may lose the last writes, but no item that was seen expired by the new policy
// may reappear.
TEST_F(CatalogTest, APolicyChangeIsSyncedInEveryMode) {
  engine_.reset();
  auto faulty = std::make_unique<store::FaultyShard>(store::FaultyOptions{}, EngineFamilies());
  faulty->set_faults(false);
  shard_ = std::move(faulty);
  durability_ = store::Durability::kRelaxed;
  Restart();
  ContainerPtr c = MakeContainer("c", -1);
  ASSERT_TRUE(Create(c, "a", "a").ok());
  PassSeconds(100);
  ASSERT_TRUE(SetDefaultTtl("c", 10).ok());
  ASSERT_EQ(Read(c, "a"), "not found");
  for (uint64_t seed = 0; seed < 20; ++seed) {
    c.reset();
    engine_.reset();
    shard_ = static_cast<store::FaultyShard*>(shard_.get())->Crash(seed);
    static_cast<store::FaultyShard*>(shard_.get())->set_faults(false);
    Restart();
    c = Find("c");
    EXPECT_EQ(c->state()->policy.default_ttl, 10);
    EXPECT_EQ(Read(c, "a"), "not found");
  }
}

// The second write of a drop may be lost. The container stays dropped, and a start removes its contents.
TEST_F(CatalogTest, ADropThatEndsHalfWayIsMadeUpForAtTheStart) {
  engine_.reset();
  int writes_left = -1;  // writes that succeed before the store fails; -1: all
  store::FaultyOptions faults;
  faults.fail_before_per_mille = 1000;
  store::FaultyShard* shard = nullptr;
  faults.on_call = [&](std::string_view call) {
    if (call != "Write" || writes_left < 0) return;
    shard->set_faults(writes_left-- == 0);
  };
  auto faulty = std::make_unique<store::FaultyShard>(faults, EngineFamilies());
  shard = faulty.get();
  shard->set_faults(false);
  shard_ = std::move(faulty);
  Restart();
  ASSERT_TRUE(Create(MakeContainer("gone", -1), "a", "a").ok());
  ASSERT_TRUE(Create(MakeContainer("stays", -1), "b", "b").ok());
  writes_left = 1;
  ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "gone", 0).ok());
  writes_left = -1;
  shard->set_faults(false);
  EXPECT_EQ(engine_->catalog().FindContainer("db", "gone").status().code(), Code::kNotFound);
  const auto keys_of = [&](store::FamilyId family) {
    std::unique_ptr<store::Iterator> keys = shard_->NewIterator(family, {});
    int count = 0;
    for (keys->SeekToFirst(); keys->Valid(); keys->Next()) ++count;
    return count;
  };
  EXPECT_EQ(keys_of(kBodyFamily), 2) << "the second write was refused";
  Restart();
  EXPECT_EQ(engine_->catalog().FindContainer("db", "gone").status().code(), Code::kNotFound);
  for (store::FamilyId family : {kHeadFamily, kRecordFamily, kBodyFamily, kMemberFamily}) {
    EXPECT_EQ(keys_of(family), 1) << family;
  }
  EXPECT_EQ(Read(Find("stays"), "b"), "b");
  // The shard calls back into this fixture.
  engine_.reset();
  shard_.reset();
}

// The change is in the store, but its answer was lost and the store cannot be read. Until it can, neither the old
// default nor the new one may decide what has expired.
TEST_F(CatalogTest, AChangeInDoubtIsSettledByTheStoreAlone) {
  engine_.reset();
  store::FaultyOptions faults;
  faults.fail_after_per_mille = 1000;
  faults.read_fail_per_mille = 1000;
  auto faulty = std::make_unique<store::FaultyShard>(faults, EngineFamilies());
  store::FaultyShard* shard = faulty.get();
  shard->set_faults(false);
  shard_ = std::move(faulty);
  Restart();
  ContainerPtr held = MakeContainer("c", 10);
  ASSERT_TRUE(Create(held, "a", "document").ok());

  shard->set_faults(true);
  EXPECT_EQ(SetDefaultTtl("c", 1000).code(), Code::kUnknownOutcome);
  EXPECT_EQ(engine_->catalog().FindContainer("db", "c").status().code(), Code::kUnavailable);
  EXPECT_EQ(Read(held, "a"), CodeName(Code::kUnavailable));
  EXPECT_EQ(Create(held, "b", "document").status().code(), Code::kUnavailable);

  EXPECT_EQ(engine_->catalog().ListDatabases().status().code(), Code::kUnavailable);
  EXPECT_EQ(engine_->catalog().FindContainer("db", "never was").status().code(), Code::kUnavailable);
  EXPECT_EQ(engine_->catalog_store().Settle().code(), Code::kUnavailable);

  shard->set_faults(false);
  PassSeconds(20);
  // A lookup does not ask the store; the sweeper and the next change do.
  EXPECT_EQ(engine_->catalog().FindContainer("db", "c").status().code(), Code::kUnavailable);
  engine_->SweepTurn();
  EXPECT_EQ(Find("c"), held);
  EXPECT_EQ(Read(held, "a"), "document");
}

}  // namespace
}  // namespace lapse::engine
