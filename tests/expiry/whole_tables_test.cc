// Wholly dead tables are dropped unread, and large tables end with their container so that there are such tables.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/catalog/counts/census.h"
#include "engine/records/ids/families.h"
#include "tests/expiry/rocks_engine_fixture.h"

namespace lapse::expiry {
namespace {

class WholeTablesTest : public RocksEngineFixture {
 protected:
  // Writes ten megabytes with lifetimes of their own, so that no file is dropped by its sequence numbers.
  void Load(const std::string& container, int32_t ttl) { PutLargeItems(container, ttl); }
  void Settle() {
    for (store::FamilyId family : engine::kItemFamilies) {
      ASSERT_TRUE(shard_->Compact(family, {}, {}).ok());
    }
    ASSERT_TRUE(shard_->Flush().ok());
  }
  std::vector<std::string> Tables() {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(path())) {
      if (file.path().extension() == ".sst") names.push_back(file.path().filename().string());
    }
    return names;
  }
};

TEST_F(WholeTablesTest, TheTablesOfADeadContainerGoAndThoseBesideItStay) {
  Load("c", 5);
  Load("other", 100);
  Settle();
  ASSERT_GT(shard_->Stats().table_bytes, 20 * kMegabyte);
  const std::vector<std::string> before = Tables();
  PassSeconds(5);
  while (engine_->SweepTurn()) continue;
  ASSERT_EQ(*shard_->Reclaim(engine::kBodyFamily, {0.01, 1}), store::Reclaimed::kSome);
  const std::vector<std::string> after = Tables();
  EXPECT_LT(after.size(), before.size());
  EXPECT_LT(shard_->Stats().table_bytes, 12 * kMegabyte);
  for (const std::string& table : after) {
    EXPECT_NE(std::find(before.begin(), before.end(), table), before.end()) << "a table was rewritten";
  }
  EXPECT_EQ(engine::Census(*Container("other")).Live()->items, kLargeItems);
  EXPECT_EQ(engine::Census(*Container("c")).Live()->items, 0);
  Close();
  Open();
  for (int i = 0; i < kLargeItems; ++i) {
    EXPECT_TRUE(Container("other")->Read(AddressOf(std::to_string(i))).ok());
    EXPECT_EQ(Read(std::to_string(i)), Code::kNotFound);
  }
}

TEST_F(WholeTablesTest, OneLivingRecordKeepsItsTable) {
  Load("c", 5);
  Put(ItemWrite::Kind::kReplace, "7", "lives", 100);
  Settle();
  PassSeconds(5);
  PurgeAndReclaim();
  EXPECT_EQ(Read("7"), Code::kOk);
  EXPECT_EQ(Feed().size(), 1U);
  EXPECT_LT(shard_->Stats().table_bytes, kMegabyte) << "what was dead beside it is compacted away";
}

// The table is all dead, and the tables above it have newer writes.
TEST_F(WholeTablesTest, WhatWasWrittenAgainStays) {
  Load("c", 5);
  Settle();
  PassSeconds(5);
  for (int i = 0; i < kLargeItems; ++i) Put(ItemWrite::Kind::kCreate, std::to_string(i), "again", 100);
  PurgeAndReclaim();
  EXPECT_EQ(Feed().size(), static_cast<size_t>(kLargeItems));
  Close();
  Open();
  EXPECT_EQ(Feed().size(), static_cast<size_t>(kLargeItems));
  EXPECT_EQ(engine::Census(*Container()).Live()->items, kLargeItems);
}

}  // namespace
}  // namespace lapse::expiry
