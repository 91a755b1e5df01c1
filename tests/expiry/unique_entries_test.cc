// Entries of unique keys on a real store: the space of purged items' entries is reclaimed, and no other entry is lost.
#include <memory>
#include <string>
#include <utility>

#include "doc/writer.h"
#include "engine/records/ids/families.h"
#include "tests/expiry/rocks_engine_fixture.h"

namespace lapse::expiry {
namespace {

class UniqueEntriesTest : public RocksEngineFixture {
 protected:
  static constexpr int kItems = 300;

  UniqueEntriesTest() {
    engine::ContainerDefinition definition;
    definition.name = "unique";
    definition.partition_key = PartitionKey();
    definition.default_ttl = -1;
    definition.unique_keys.keys = {{{doc::Path({"n"})}}};
    EXPECT_TRUE(engine_->catalog_store().CreateContainer("db", definition).ok());
  }

  Code Create(const std::string& id, int value, int32_t ttl) {
    ItemWrite write;
    write.address = AddressOf(id);
    doc::Writer writer(&write.document);
    writer.BeginDocument();
    writer.AppendInt32("n", value);
    writer.End();
    write.own_ttl = ttl;
    Code code = Code::kInternal;
    Container("unique")->Write(std::move(write),
                               [&](const Result<engine::ItemWritten>& done) { code = done.status().code(); });
    return code;
  }

  int StoredEntries() {
    int count = 0;
    std::unique_ptr<store::Iterator> entries = shard_->NewIterator(engine::kUniqueFamily, {});
    for (entries->SeekToFirst(); entries->Valid(); entries->Next()) ++count;
    EXPECT_TRUE(entries->status().ok());
    return count;
  }
  // Compacts, so that tables hold more than one write.
  void Settle() { ASSERT_TRUE(shard_->Compact(engine::kUniqueFamily, {}, {}).ok()); }
};

TEST_F(UniqueEntriesTest, GoWhenTheirItemsWerePurged) {
  for (int i = 0; i < kItems; ++i) ASSERT_EQ(Create(std::to_string(i), i, 5), Code::kOk);
  ASSERT_EQ(Create("lives", kItems, 1000), Code::kOk);
  Settle();
  ASSERT_EQ(StoredEntries(), kItems + 1);
  PassSeconds(5);
  ASSERT_EQ(Create("new", 7, 1000), Code::kOk) << "free before anything was purged";
  PurgeAndReclaim();
  Settle();
  EXPECT_EQ(StoredEntries(), 2);
  Close();
  Open();
  EXPECT_EQ(Create("a", kItems, 5), Code::kUniqueKeyTaken);
  EXPECT_EQ(Create("a", 7, 5), Code::kUniqueKeyTaken);
  EXPECT_EQ(Create("a", 8, 5), Code::kOk);
}

// The older entries are all dead, and those above them are newer.
TEST_F(UniqueEntriesTest, WhatWasWrittenAgainStays) {
  for (int i = 0; i < kItems; ++i) ASSERT_EQ(Create(std::to_string(i), i, 5), Code::kOk);
  Settle();
  PassSeconds(5);
  for (int i = 0; i < kItems; i += 2) ASSERT_EQ(Create("again" + std::to_string(i), i, 1000), Code::kOk);
  PurgeAndReclaim();
  Settle();
  EXPECT_EQ(StoredEntries(), kItems / 2);
  for (int i = 0; i < kItems; ++i) {
    ASSERT_EQ(Create("third" + std::to_string(i), i, 5), i % 2 == 0 ? Code::kUniqueKeyTaken : Code::kOk) << i;
  }
}

}  // namespace
}  // namespace lapse::expiry
