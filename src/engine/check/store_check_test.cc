// What a check of a whole store reports, and what it does not mistake for damage.
#include "engine/check/store_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/partition/index/index_fixture.h"
#include "engine/records/expiry/cohort.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/items/item_records.h"

namespace lapse::engine {
namespace {

using testing::HasSubstr;

class StoreCheckTest : public IndexFixture {
 protected:
  StoreReport CheckAll() {
    Result<StoreReport> report = CheckStore({shard_.get()}, nullptr);
    EXPECT_TRUE(report.ok()) << report.status().ToString();
    return report.ok() ? *report : StoreReport();
  }

  // Returns all findings as one text.
  std::string Found() {
    const StoreReport report = CheckAll();
    std::string text;
    for (const std::string& one : report.findings.told()) text += one + "\n";
    return text;
  }

  std::string FirstKey(store::FamilyId family) {
    const std::unique_ptr<store::Iterator> records = shard_->NewIterator(family, {});
    records->SeekToFirst();
    return records->Valid() ? std::string(records->key()) : "";
  }

  void Change(const std::function<void(store::Batch*)>& change) {
    store::Batch batch;
    change(&batch);
    ASSERT_TRUE(shard_->Write(batch, store::Durability::kSync).ok());
  }

  // Removes the first record of a family, checks the store, and puts the record back.
  std::string FoundWithout(store::FamilyId family) {
    const std::string key = FirstKey(family);
    store::PinnedValue value;
    EXPECT_TRUE(shard_->Get(family, key, &value).ok()) << family;
    const std::string kept(value.view());
    Change([&](store::Batch* batch) { batch->Delete(family, key); });
    std::string found = Found();
    Change([&](store::Batch* batch) { batch->Put(family, key, kept); });
    EXPECT_EQ(Found(), "");
    return found;
  }

  // Creates a container with a unique key and one item.
  void MakeAll(std::optional<int32_t> default_ttl, std::optional<int32_t> own_ttl) {
    ASSERT_TRUE(engine_->catalog_store().CreateDatabase("db", 0, "").ok());
    ContainerDefinition definition;
    definition.name = "c";
    definition.partition_key.paths = {doc::Path({"pk"})};
    definition.default_ttl = default_ttl;
    definition.lifetime_property = "ttl";
    definition.indexing = Policy({"*"});
    UniqueKeysDefinition::Key unique;
    unique.paths = {doc::Path({"u"})};
    definition.unique_keys.keys.push_back(unique);
    ASSERT_TRUE(engine_->catalog_store().CreateContainer("db", definition).ok());
    Create("1", R"({"u":1,"a":1})", own_ttl);
  }
  void MakeAll() { MakeAll(1000, 500); }
};

TEST_F(StoreCheckTest, AnEmptyStoreIsSound) {
  const StoreReport report = CheckAll();
  EXPECT_EQ(report.containers, 0);
  EXPECT_EQ(report.findings.count(), 0);
}

TEST_F(StoreCheckTest, CountsWhatIsThere) {
  MakeIndexed(Policy({"*"}));
  Create("1", R"({"a":1,"b":[1,2]})");
  Create("2", R"({"a":2})");
  Replace("2", R"({"a":3})");
  Create("3", R"({"a":2})");
  Delete("3");
  const StoreReport report = CheckAll();
  EXPECT_EQ(report.containers, 1);
  EXPECT_EQ(report.items.items, 2);
  EXPECT_GT(report.items.bytes, 0);
  EXPECT_EQ(report.index_entries, 5);
  EXPECT_EQ(report.findings.count(), 0) << Found();
}

TEST_F(StoreCheckTest, WhatHasExpiredOrIsPurgedOrErasedIsNoDamage) {
  MakeIndexed(Policy({"*"}), 10);
  for (int i = 0; i < 20; ++i) Create(std::to_string(i), R"({"a":1})", i < 10 ? 5 : 50);
  PassSeconds(11);
  EXPECT_EQ(CheckAll().items.items, 20) << "expired and not purged";
  EXPECT_EQ(Found(), "");
  while (engine_->SweepTurn()) continue;
  EXPECT_EQ(CheckAll().items.items, 10);
  EXPECT_EQ(CheckAll().entries_of_gone_items, 10);
  EXPECT_EQ(Found(), "") << "records of purged items may be there or not";
  ASSERT_TRUE(shard_->Compact(kBodyFamily, {}, {}).ok());
  EXPECT_EQ(Found(), "");
  PurgeAll();
  EXPECT_EQ(Found(), "");
  Find("c")->EraseKey(Address(*Find("c"), "pk", "").key, [](const Result<ItemWritten>&) {});
  EXPECT_EQ(Found(), "");
}

TEST_F(StoreCheckTest, ARecordThatIsMissingIsFound) {
  MakeAll();
  EXPECT_EQ(Found(), "");
  EXPECT_THAT(FoundWithout(kRecordFamily), HasSubstr("there are 1 heads, and 0 items"));
  EXPECT_THAT(FoundWithout(kHeadFamily), HasSubstr("db/c, partition 0: item 1: it has no head"));
  EXPECT_THAT(FoundWithout(kBodyFamily), HasSubstr("it has no body"));
  EXPECT_THAT(FoundWithout(kMemberFamily), HasSubstr("it has no member"));
  EXPECT_THAT(FoundWithout(kQueueFamily), HasSubstr("it has no entry in the queue of expiry"));
  EXPECT_THAT(FoundWithout(kCohortFamily), HasSubstr("1 cohorts are missing"));
  EXPECT_THAT(FoundWithout(kIndexFamily), HasSubstr("1 index entries are missing and 0 are wrong"));
}

TEST_F(StoreCheckTest, AnItemThatCannotExpireHoldsItsUniqueValues) {
  MakeAll(std::nullopt, std::nullopt);
  EXPECT_THAT(FoundWithout(kUniqueFamily), HasSubstr("item 1: it has no entry of a unique key"));
}

TEST_F(StoreCheckTest, TheUniqueValuesOfAnExpiredItemMayBeAnothers) {
  MakeAll(10, std::nullopt);
  PassSeconds(11);
  Create("2", R"({"u":1})");
  EXPECT_EQ(CheckAll().items.items, 2);
  EXPECT_EQ(Found(), "");
}

TEST_F(StoreCheckTest, RecordsThatDoNotAgreeAreFound) {
  MakeAll();
  store::PinnedValue value;
  const std::string record = FirstKey(kRecordFamily);
  ASSERT_TRUE(shard_->Get(kRecordFamily, record, &value).ok());
  HeadRecord head;
  ASSERT_TRUE(DecodeHead(value.view(), &head).ok());
  ++head.document_bytes;
  std::string changed;
  EncodeHead(head, &changed);
  Change([&](store::Batch* batch) { batch->Put(kRecordFamily, record, changed); });
  const std::string found = Found();
  EXPECT_THAT(found, HasSubstr("its document has another size than its record says"));
  EXPECT_THAT(found, HasSubstr("its head and its record differ"));
  EXPECT_THAT(found, HasSubstr("its count says 1 items"));
  EXPECT_THAT(found, HasSubstr("a cohort counts 1 items"));
}

TEST_F(StoreCheckTest, WhatCannotBeReadIsFoundAndEndsNothing) {
  MakeAll();
  Change([&](store::Batch* batch) { batch->Put(kBodyFamily, FirstKey(kBodyFamily), "x"); });
  EXPECT_THAT(Found(), HasSubstr("its body cannot be read"));
  Change([&](store::Batch* batch) { batch->Put(kRecordFamily, FirstKey(kRecordFamily), "x"); });
  EXPECT_THAT(Found(), HasSubstr("a record cannot be read"));
  Change([&](store::Batch* batch) { batch->Put(kHeadFamily, FirstKey(kHeadFamily), "x"); });
  EXPECT_THAT(Found(), HasSubstr("a head cannot be read"));
  Change([&](store::Batch* batch) { batch->Put(kMetaFamily, PartitionTallyKey({Find("c")->id(), 0}), "x"); });
  EXPECT_THAT(Found(), HasSubstr("the counts of partition 0 cannot be read"));
}

TEST_F(StoreCheckTest, ASurplusEntryIsFoundAndALongListIsCutShort) {
  MakeIndexed(Policy({"*"}));
  for (int i = 0; i < 30; ++i) Create(std::to_string(i), R"({"a":1})");
  EXPECT_EQ(Found(), "");
  const IndexId index = Find("c")->state()->index->id;
  Change([&](store::Batch* batch) {
    for (uint64_t item = 1; item <= 30; ++item) {
      batch->Put(kIndexFamily,
                 IndexKey(index, std::string(BytesOf(PathOf("a"))) + ValueOf("2"), MakeItemNumber(0, item)), "");
    }
  });
  EXPECT_THAT(Found(), HasSubstr("0 index entries are missing and 30 are wrong"));
  EXPECT_EQ(CheckAll().findings.count(), 30);
  const std::unique_ptr<store::Iterator> members = shard_->NewIterator(kMemberFamily, {});
  Change([&](store::Batch* batch) {
    for (members->SeekToFirst(); members->Valid(); members->Next()) batch->Delete(kMemberFamily, members->key());
  });
  const StoreReport report = CheckAll();
  EXPECT_EQ(report.findings.count(), 30);
  EXPECT_EQ(report.findings.told().size(), Findings::kToldMax);
}

TEST_F(StoreCheckTest, ACatalogThatCannotBeReadIsAnError) {
  MakeAll();
  Change([&](store::Batch* batch) { batch->Put(kMetaFamily, ContainerKey(Find("c")->id()), "x"); });
  EXPECT_EQ(CheckStore({shard_.get()}, nullptr).status().code(), Code::kCorruption);
}

}  // namespace
}  // namespace lapse::engine
