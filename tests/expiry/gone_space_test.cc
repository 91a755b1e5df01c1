// Reclaims the space of records that are gone without having expired: dropped containers, changes beyond their
// retention, replaced and deleted items.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>

#include "engine/records/changes/change_log.h"
#include "engine/records/ids/families.h"
#include "engine/shard/purge/engine_families.h"
#include "store/shard.h"
#include "tests/expiry/rocks_engine_fixture.h"

namespace lapse::expiry {
namespace {

constexpr int64_t kHour_s = 3600;

class GoneSpaceTest : public RocksEngineFixture {
 protected:
  // Writes ten megabytes that never expire.
  void Load(const std::string& container) { PutLargeItems(container, -1); }
  void KeepChanges(int64_t retention_s) {
    ASSERT_TRUE(engine_->catalog_store().ReplaceContainer("db", "c", {-1, "", retention_s, {}}, 0).ok());
  }
  void Settle() {
    for (store::FamilyId family = 0; family < engine::EngineFamilies().size(); ++family) {
      ASSERT_TRUE(shard_->Compact(family, {}, {}).ok());
    }
    ASSERT_TRUE(shard_->Flush().ok());
  }
  uint64_t Bytes() const {
    const store::ShardStats stats = shard_->Stats();
    return stats.table_bytes + stats.buffered_bytes;
  }
  // RocksDB removes the files of its own compactions shortly after they have ended.
  bool ComesBelow(uint64_t bytes) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (Bytes() >= bytes && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    return Bytes() < bytes;
  }
  int LiveIn(const std::string& container) {
    int items = 0;
    engine::FeedOptions options;
    options.items_max = 1'000'000;
    auto take = [&](const engine::Item&, engine::Place) {
      ++items;
      return true;
    };
    EXPECT_TRUE(Container(container)->ReadFeed(options, take).ok());
    return items;
  }
};

TEST_F(GoneSpaceTest, OfADroppedContainerComesBackFromTheLog) {
  Load("c");
  ASSERT_GT(Bytes(), 10 * kMegabyte);
  ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "c", 0).ok());
  ReclaimAll();
  EXPECT_TRUE(ComesBelow(kMegabyte / 2)) << Bytes();
}

TEST_F(GoneSpaceTest, OfADroppedContainerComesBackFromItsTablesAndNoOther) {
  Load("c");
  Load("other");
  Settle();
  ASSERT_GT(Bytes(), 20 * kMegabyte);
  ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "c", 0).ok());
  ReclaimAll();
  EXPECT_TRUE(ComesBelow(11 * kMegabyte)) << Bytes();
  EXPECT_EQ(LiveIn("other"), kLargeItems);
  Close();
  Open();
  EXPECT_EQ(LiveIn("other"), kLargeItems);
}

TEST_F(GoneSpaceTest, OfADroppedDatabaseComesBack) {
  Load("c");
  Load("other");
  Settle();
  ASSERT_TRUE(engine_->catalog_store().DropDatabase("db").ok());
  ReclaimAll();
  EXPECT_TRUE(ComesBelow(kMegabyte / 2)) << Bytes();
}

// A server that is stopped at once, or killed, resumes reclaiming at its next start.
TEST_F(GoneSpaceTest, OfADroppedContainerComesBackAfterAStart) {
  Load("c");
  ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "c", 0).ok());
  Load("other");
  Close();
  Open();
  ReclaimAll();
  EXPECT_TRUE(ComesBelow(11 * kMegabyte)) << Bytes();
  EXPECT_EQ(LiveIn("other"), kLargeItems);
}

TEST_F(GoneSpaceTest, OfAContainerMadeLaterStays) {
  ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "other", 0).ok());
  engine::ContainerDefinition definition;
  definition.name = "later";
  definition.partition_key = PartitionKey();
  ASSERT_TRUE(engine_->catalog_store().CreateContainer("db", definition).ok());
  Load("later");
  ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "c", 0).ok());
  ReclaimAll();
  Settle();
  EXPECT_EQ(LiveIn("later"), kLargeItems);
  Close();
  Open();
  ReclaimAll();
  Settle();
  EXPECT_EQ(LiveIn("later"), kLargeItems);
}

TEST_F(GoneSpaceTest, OfDeletedItemsComesBack) {
  Load("c");
  Load("other");
  Settle();
  for (int i = 0; i < 70; ++i) Put(ItemWrite::Kind::kDelete, std::to_string(i), "");
  ReclaimAll();
  EXPECT_TRUE(ComesBelow(13 * kMegabyte)) << Bytes();
  EXPECT_EQ(LiveIn("c"), 10);
  EXPECT_EQ(LiveIn("other"), kLargeItems);
}

TEST_F(GoneSpaceTest, OfAFewLargeItemsThatAreDeletedComesBack) {
  Load("c");
  for (int i = 0; i < 2000; ++i) Put(ItemWrite::Kind::kCreate, "small" + std::to_string(i), "small", -1);
  Settle();
  for (int i = 0; i < 80; ++i) Put(ItemWrite::Kind::kDelete, std::to_string(i), "");
  ReclaimAll();
  EXPECT_TRUE(ComesBelow(kMegabyte)) << Bytes();
  EXPECT_EQ(LiveIn("c"), 2000);
}

TEST_F(GoneSpaceTest, OfReplacedItemsComesBack) {
  for (int round = 0; round < 4; ++round) Load("c");
  ReclaimAll();
  EXPECT_TRUE(ComesBelow(12 * kMegabyte)) << Bytes();
  Load("c");
  ReclaimAll();
  EXPECT_TRUE(ComesBelow(12 * kMegabyte)) << Bytes();
  EXPECT_EQ(LiveIn("c"), kLargeItems);
}

// Under heavy writes RocksDB compacts these tables by itself, so that they are not compacted twice.
TEST_F(GoneSpaceTest, OfReplacedItemsIsLeftToRocksDbWhileThereIsMuchToDo) {
  Load("c");
  Settle();
  Load("c");
  while (engine_->ReclaimTurn()) continue;
  ASSERT_TRUE(shard_->Flush().ok());
  while (engine_->ReclaimTurn()) continue;
  EXPECT_GT(Bytes(), 20 * kMegabyte);
}

TEST_F(GoneSpaceTest, OfChangesBeyondTheirRetentionComesBack) {
  KeepChanges(kHour_s);
  Load("c");
  Settle();
  PassSeconds(kHour_s / 2);
  Load("c");
  ASSERT_TRUE(shard_->Compact(engine::kBodyFamily, {}, {}).ok());  // replaced bodies are not the subject here
  const uint64_t before = Bytes();
  ASSERT_GT(before, 38 * kMegabyte) << "as items, as changes, and as changes with what was there before";
  PassSeconds(kHour_s * 7 / 10);
  ReclaimAll();
  EXPECT_TRUE(ComesBelow(before - 9 * kMegabyte)) << Bytes();
  int changes = 0;
  auto take = [&](const engine::LoggedChange&, engine::Place) {
    ++changes;
    return true;
  };
  engine::ChangesOptions options;
  EXPECT_EQ(Container()->ReadLog(options, take).status().code(), Code::kNoLongerKept);
  options.after = 80;
  EXPECT_TRUE(Container()->ReadLog(options, take).ok());
  EXPECT_EQ(changes, 80);
  PassSeconds(kHour_s);
  ReclaimAll();
  EXPECT_TRUE(ComesBelow(11 * kMegabyte)) << Bytes();
  EXPECT_EQ(LiveIn("c"), kLargeItems);
}

// The log shows the bodies of expired items. They stay as long as the log's records do, through starts and compactions.
TEST_F(GoneSpaceTest, OfExpiredItemsInALogComesBackWhenItIsTrimmed) {
  constexpr int32_t kTtl_s = 100;
  for (std::optional<int32_t> own_ttl : {std::optional<int32_t>(), std::optional(kTtl_s)}) {
    SCOPED_TRACE(own_ttl.has_value() ? "own" : "inherited");
    ASSERT_TRUE(engine_->catalog_store().ReplaceContainer("db", "c", {kTtl_s, "", kHour_s, {}}, 0).ok());
    const engine::Sequence before = Container()->partitions()[0]->last_sequence();
    PutLargeItems("c", own_ttl);
    PassSeconds(kTtl_s);
    ReclaimAll();
    Settle();
    Close();
    Open();
    ReclaimAll();
    Settle();
    int expiries = 0;
    engine::ChangesOptions options;
    options.after = before;
    options.items_max = 1'000'000;
    auto page = Container()->ReadLog(options, [&](const engine::LoggedChange& change, engine::Place) {
      if (change.kind == engine::ChangeKind::kExpiry && change.previous_doc.size() > 100'000) ++expiries;
      return true;
    });
    ASSERT_TRUE(page.ok()) << page.status().ToString();
    EXPECT_EQ(expiries, kLargeItems);
    EXPECT_EQ(LiveIn("c"), 0);
    PassSeconds(kHour_s + kHour_s / 5);
    ReclaimAll();
    EXPECT_TRUE(ComesBelow(kMegabyte)) << Bytes();
  }
}

TEST_F(GoneSpaceTest, OfAChangeLogThatIsTurnedOffComesBack) {
  KeepChanges(kHour_s);
  Load("c");
  Load("c");
  KeepChanges(0);
  ReclaimAll();
  EXPECT_TRUE(ComesBelow(11 * kMegabyte)) << Bytes();
  EXPECT_EQ(LiveIn("c"), kLargeItems);
}

}  // namespace
}  // namespace lapse::expiry
