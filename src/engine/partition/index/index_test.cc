// The contents of a container's indexes after writes, deletes, expiries and purges, and what readers find with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/fail_point.h"
#include "engine/partition/index/index_fixture.h"
#include "engine/records/ids/families.h"

namespace lapse::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Direction = IndexRange::Direction;

class IndexTest : public IndexFixture {
 protected:
  // Returns the document as JSON, or nothing if the item is not live for the page.
  static std::string Read(IndexReader* reader, ItemNumber item) {
    std::string json;
    std::vector<std::optional<HeadRecord>> live;
    const auto take = [&](const Item& found) {
      doc::ObjectToJson(found.document, &json);
      return true;
    };
    EXPECT_TRUE(reader->ReadLive({&item, 1}, &live, take).ok());
    return json;
  }
};

TEST_F(IndexTest, EveryWriteKeepsTheEntriesRight) {
  MakeIndexed(Policy({"*", "named/?"}));
  Create("1", R"({"a":1,"b":"x","list":[1,2,2]})");
  EXPECT_EQ(StoredEntries(), 6);  // a, b, list, two elements, named
  EXPECT_EQ(Check().of_gone_items, 0);
  Replace("1", R"({"a":2,"b":"x","named":null})");
  EXPECT_EQ(StoredEntries(), 3);
  Check();
  ASSERT_TRUE(PutJson(ItemWrite::Kind::kUpsert, "2", R"({"a":2})").ok());
  EXPECT_EQ(StoredEntries(), 5);
  Delete("1");
  EXPECT_EQ(StoredEntries(), 2);
  EXPECT_EQ(Check().of_gone_items, 0);
}

TEST_F(IndexTest, AContainerThatDoesNotKeepAnIndexHasNoEntries) {
  MakeContainer("c", std::nullopt);
  Create("1", R"({"a":1})");
  EXPECT_EQ(StoredEntries(), 0);
  IndexRange range;
  range.path = PathOf("a");
  EXPECT_THAT(Query(range), ElementsAre("no index"));
}

TEST_F(IndexTest, ARewriteThatKeepsTheValuesKeepsTheEntries) {
  MakeIndexed(Policy({"*"}));
  Create("1", R"({"a":1,"b":2,"c":3})");
  const std::vector<std::string> before = Contents();
  Replace("1", R"({"a":1,"b":2,"c":3})");
  std::vector<std::string> after = Contents();
  const std::string family = std::to_string(kIndexFamily) + " ";
  auto entries = [&](const std::vector<std::string>& all) {
    std::vector<std::string> of_index;
    for (const std::string& record : all) {
      if (record.starts_with(family)) of_index.push_back(record);
    }
    return of_index;
  };
  EXPECT_EQ(entries(before), entries(after));
}

TEST_F(IndexTest, AWriteThatFailsLeavesNoEntry) {
  MakeIndexed(Policy({"*"}));
  Create("1", R"({"a":1})");
  const std::vector<std::string> before = Contents();
  EXPECT_EQ(PutJson(ItemWrite::Kind::kCreate, "1", R"({"a":2})").status().code(), Code::kAlreadyExists);
  std::vector<ItemWrite> both(2);
  both[0].address = Address(*Find("c"), "pk", "2");
  both[0].document = Bson(R"({"a":7})");
  both[1].address = Address(*Find("c"), "pk", "1");
  both[1].document = Bson(R"({"a":8})");
  Status outcome;
  Find("c")->WriteAtomically(std::move(both), [&](const AtomicOutcome& done) { outcome = done.status; });
  EXPECT_EQ(outcome.code(), Code::kAlreadyExists);
  EXPECT_EQ(Contents(), before);
}

TEST_F(IndexTest, ItemsOfOneCommitKeepTheirEntriesRight) {
  MakeIndexed(Policy({"*"}));
  std::vector<ItemWrite> writes(4);
  for (ItemWrite& write : writes) write.address = Address(*Find("c"), "pk", "1");
  writes[0].document = Bson(R"({"a":1,"b":1})");
  writes[1].kind = WriteKind::kReplace;
  writes[1].document = Bson(R"({"a":2,"b":1})");
  writes[2].kind = WriteKind::kDelete;
  writes[3].document = Bson(R"({"a":1,"c":1})");
  Status outcome(Code::kInternal, "not called");
  Find("c")->WriteAtomically(std::move(writes), [&](const AtomicOutcome& done) { outcome = done.status; });
  ASSERT_TRUE(outcome.ok()) << outcome.ToString();
  EXPECT_EQ(StoredEntries(), 2);
  Check();
}

TEST_F(IndexTest, RangesAreFoundInTheOrderOfTheirValues) {
  MakeIndexed(Policy({"*"}));
  Create("1", R"({"a":3})");
  Create("2", R"({"a":1})");
  Create("3", R"({"a":2})");
  Create("4", R"({"a":2.5})");
  Create("5", R"({"b":2})");
  Create("6", R"({"a":"2"})");
  IndexRange range;
  range.path = PathOf("a");
  EXPECT_THAT(Query(range), ElementsAre(R"({"a":1})", R"({"a":2})", R"({"a":2.5})", R"({"a":3})", R"({"a":"2"})"));
  range.lower = ValueOf("2");
  range.upper = ValueOf("3");
  EXPECT_THAT(Query(range), ElementsAre(R"({"a":2})", R"({"a":2.5})"));
  range.direction = Direction::kBackward;
  EXPECT_THAT(Query(range), ElementsAre(R"({"a":2.5})", R"({"a":2})"));
  range.upper = range.lower;
  EXPECT_THAT(Query(range), IsEmpty());
}

TEST_F(IndexTest, WhatHasExpiredIsNotFound) {
  MakeIndexed(Policy({"*"}), 10);
  Create("1", R"({"a":1})");
  Create("2", R"({"a":2})", 100);
  IndexRange range;
  range.path = PathOf("a");
  PassSeconds(9);
  EXPECT_EQ(Query(range).size(), 2);
  PassSeconds(1);
  EXPECT_THAT(Query(range), ElementsAre(R"({"a":2})"));
  EXPECT_EQ(StoredEntries(), 2) << "nothing happens at that instant";
}

TEST_F(IndexTest, APageSeesOneMoment) {
  MakeIndexed(Policy({"*"}), 10);
  Create("1", R"({"a":1})");
  const auto page = Find("c")->OpenIndexPage();
  ASSERT_TRUE(page.ok());
  IndexReader& reader = (*page)->Partition(0);
  Replace("1", R"({"a":2})");
  PassSeconds(20);
  PurgeAll();
  IndexRange range;
  range.path = PathOf("a");
  const std::unique_ptr<EntryWalk> walk = reader.Walk(range);
  ASSERT_TRUE(walk->Valid());
  EXPECT_EQ(walk->value(), ValueOf("1"));
  EXPECT_EQ(Read(&reader, walk->item()), R"({"a":1})");
}

// Pages read items from the cache and fill it, but never with another version than that of their snapshot.
TEST_F(IndexTest, APageAndTheCacheShowTheirOwnVersions) {
  MakeIndexed(Policy({"*"}));
  Create("1", R"({"a":1})");
  const auto old_page = Find("c")->OpenIndexPage();
  ASSERT_TRUE(old_page.ok());
  IndexReader& old_reader = (*old_page)->Partition(0);
  IndexRange range;
  range.path = PathOf("a");
  const ItemNumber item = old_reader.Walk(range)->item();
  const auto cached = [&] { return Find("c")->reader_parts().cache->Peek(Find("c")->id(), item); };
  EXPECT_EQ(Read(&old_reader, item), R"({"a":1})");
  EXPECT_EQ(cached(), nullptr) << "once is not enough";
  EXPECT_EQ(Read(&old_reader, item), R"({"a":1})");
  ASSERT_NE(cached(), nullptr);
  EXPECT_EQ(cached()->document, Bson(R"({"a":1})"));

  Replace("1", R"({"a":2})");
  EXPECT_EQ(Read(&old_reader, item), R"({"a":1})");
  EXPECT_EQ(cached(), nullptr) << "an old version must not come in";
  const auto new_page = Find("c")->OpenIndexPage();
  ASSERT_TRUE(new_page.ok());
  EXPECT_EQ(Read(&(*new_page)->Partition(0), item), R"({"a":2})");
  ASSERT_NE(cached(), nullptr);
  EXPECT_EQ(cached()->document, Bson(R"({"a":2})"));
  EXPECT_EQ(Read(&old_reader, item), R"({"a":1})") << "the cache has a later one";

  Delete("1");
  EXPECT_EQ(cached(), nullptr);
  EXPECT_EQ(Read(&(*new_page)->Partition(0), item), R"({"a":2})");
  EXPECT_EQ(cached(), nullptr);
}

// A page takes the tally from memory if another page has read it after the same commits.
TEST_F(IndexTest, APageSeesTheTallyOfItsSnapshot) {
  MakeIndexed(Policy({"*"}));
  const auto open = [&] { return *Find("c")->OpenIndexPage(); };
  const auto sequence_of = [](const std::unique_ptr<IndexPage>& page) { return *page->Partition(0).LastSequence(); };
  Create("1", R"({"a":1})");
  const auto before = open();
  const auto same = open();
  EXPECT_EQ(sequence_of(same), 1u);
  // Pages during a commit.
  std::unique_ptr<IndexPage> meanwhile;
  std::unique_ptr<IndexPage> left_for_later;
  {
    ScopedFailPoint told("commit.told", 1, [&] {
      meanwhile = open();
      left_for_later = open();
      EXPECT_EQ(sequence_of(meanwhile), 1u);
      return Status::Ok();
    });
    Create("2", R"({"a":2})");
  }
  const auto after = open();
  EXPECT_EQ(sequence_of(after), 2u);
  EXPECT_EQ(sequence_of(before), 1u);
  EXPECT_EQ(sequence_of(left_for_later), 1u);
  EXPECT_EQ(sequence_of(open()), 2u);
  // A failed commit, which may or may not have taken effect.
  {
    ScopedFailPoint told("commit.told", 1, [] { return Status(Code::kUnknownOutcome, "a test"); });
    EXPECT_FALSE(PutJson(ItemWrite::Kind::kCreate, "3", R"({"a":3})").ok());
  }
  EXPECT_EQ(sequence_of(open()), 2u);
  Create("4", R"({"a":4})");
  EXPECT_EQ(sequence_of(open()), 3u);
  EXPECT_EQ(sequence_of(after), 2u);
}

// The cache ignores time; the page does not.
TEST_F(IndexTest, AnItemInTheCacheExpiresLikeAnyOther) {
  MakeIndexed(Policy({"*"}), 10);
  Create("1", R"({"a":1})");
  IndexRange range;
  range.path = PathOf("a");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Query(range).size(), 1u);
  PassSeconds(9);
  EXPECT_EQ(Query(range).size(), 1u);
  PassSeconds(1);
  EXPECT_EQ(Query(range).size(), 0u);
}

TEST_F(IndexTest, APurgeTakesTheEntriesOfTheDead) {
  MakeIndexed(Policy({"*"}), 10);
  for (int i = 0; i < 50; ++i) Create(std::to_string(i), "{\"a\":" + std::to_string(i) + "}", i % 5 == 0 ? -1 : 10);
  PassSeconds(11);
  PurgeAll();
  const IndexFindings findings = Check();
  EXPECT_EQ(findings.items, 10);
  EXPECT_EQ(findings.of_gone_items, 0);
  EXPECT_EQ(StoredEntries(), 10);
}

TEST_F(IndexTest, ALaterItemKeepsItsEntriesThroughAPurge) {
  MakeIndexed(Policy({"*"}), 10);
  Create("1", R"({"a":1})");
  PassSeconds(11);
  while (engine_->SweepTurn()) continue;
  Create("1", R"({"a":1})");  // another item with the address of the purged one
  EXPECT_EQ(StoredEntries(), 2);
  PurgeAll();
  EXPECT_EQ(Check().items, 1);
  IndexRange range;
  range.path = PathOf("a");
  EXPECT_EQ(Query(range).size(), 1);
}

TEST_F(IndexTest, AWriteOverAnExpiredItemTakesItsEntries) {
  MakeIndexed(Policy({"*"}), 10);
  Create("1", R"({"a":1,"b":1})");
  PassSeconds(11);
  Create("1", R"({"a":1})");
  EXPECT_EQ(StoredEntries(), 1);
  EXPECT_EQ(Check().of_gone_items, 0);
}

TEST_F(IndexTest, EntriesOfADeletedPartitionKeyAreDeadAtOnceAndGoWithASweep) {
  MakeIndexed(Policy({"*"}));
  auto put = [&](std::string_view pk, std::string_view id, std::string_view json) {
    ASSERT_TRUE(PutJson(WriteKind::kCreate, id, json, {}, IndexingDirective::kDefault, pk).ok());
  };
  put("gone", "1", R"({"a":1})");
  put("gone", "2", R"({"a":2})");
  put("stays", "1", R"({"a":3})");
  bool erased = false;
  Find("c")->EraseKey(Address(*Find("c"), "gone", "").key,
                      [&](const Result<ItemWritten>& done) { erased = done.ok(); });
  ASSERT_TRUE(erased);
  IndexRange range;
  range.path = PathOf("a");
  EXPECT_THAT(Query(range), ElementsAre(R"({"a":3})"));
  put("gone", "1", R"({"a":4})");
  EXPECT_THAT(Query(range), ElementsAre(R"({"a":3})", R"({"a":4})"));
  EXPECT_EQ(StoredEntries(), 3);  // the second item's entry is left
  while (engine_->SweepTurn()) continue;
  EXPECT_EQ(StoredEntries(), 2);
  EXPECT_EQ(Check().of_gone_items, 0);
  EXPECT_THAT(Query(range), ElementsAre(R"({"a":3})", R"({"a":4})"));
}

TEST_F(IndexTest, ItemsThatAreLeftOutAreFoundAtTheRoot) {
  MakeIndexed(Policy({"*"}));
  ASSERT_TRUE(PutJson(WriteKind::kCreate, "1", R"({"a":1})", {}, IndexingDirective::kExclude).ok());
  Create("2", R"({"a":2})");
  IndexRange root;
  EXPECT_THAT(Query(root), ElementsAre(R"({"a":1})"));
  IndexRange range;
  range.path = PathOf("a");
  EXPECT_THAT(Query(range), ElementsAre(R"({"a":2})"));
  Replace("1", R"({"a":1})");
  EXPECT_THAT(Query(root), IsEmpty());
  EXPECT_EQ(Query(range).size(), 2);
  Check();
}

TEST_F(IndexTest, WithoutAutomaticOnlyThoseThatAskAreIndexed) {
  IndexingDefinition policy = Policy({"*"});
  policy.automatic = false;
  MakeIndexed(policy);
  Create("1", R"({"a":1})");
  ASSERT_TRUE(PutJson(WriteKind::kCreate, "2", R"({"a":2})", {}, IndexingDirective::kInclude).ok());
  IndexRange range;
  range.path = PathOf("a");
  EXPECT_THAT(Query(range), ElementsAre(R"({"a":2})"));
  EXPECT_THAT(Query(IndexRange()), ElementsAre(R"({"a":1})"));
  Check();
}

TEST_F(IndexTest, ACompositeIndexHasItsOwnOrder) {
  IndexingDefinition policy;
  policy.composites = {{{{"a"}, false}, {{"b"}, true}}};
  MakeIndexed(policy);
  Create("1", R"({"a":1,"b":1})");
  Create("2", R"({"a":1,"b":2})");
  Create("3", R"({"a":0})");
  IndexRange range;
  range.path = Find("c")->state()->index->paths->composites().front().number;
  EXPECT_THAT(Query(range), ElementsAre(R"({"a":0})", R"({"a":1,"b":2})", R"({"a":1,"b":1})"));
  Check();
}

TEST_F(IndexTest, EntriesOfADroppedContainerGo) {
  MakeIndexed(Policy({"*"}));
  Create("1", R"({"a":1})");
  ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "c", 0).ok());
  MakeIndexed(Policy({"*"}));
  Create("1", R"({"a":1,"b":1})");
  ASSERT_TRUE(shard_->Compact(kIndexFamily, {}, {}).ok());
  EXPECT_EQ(StoredEntries(), 2);
  Check();
  Restart();
  ASSERT_TRUE(shard_->Compact(kIndexFamily, {}, {}).ok());
  EXPECT_EQ(StoredEntries(), 2);
  EXPECT_EQ(Check().items, 1);
}

TEST_F(IndexTest, AnEntryThatCannotBeReadIsReportedAndKept) {
  MakeIndexed(Policy({"*"}));
  Create("1", R"({"a":1})");
  store::Batch batch;
  const std::string key = IndexPathPrefix(Find("c")->state()->index->id, 0, PathOf("a")) + "\x05";
  batch.Put(kIndexFamily, key, "");
  ASSERT_TRUE(shard_->Write(batch, store::Durability::kSync).ok());
  const auto page = Find("c")->OpenIndexPage();
  ASSERT_TRUE(page.ok());
  IndexRange range;
  range.path = PathOf("a");
  const std::unique_ptr<EntryWalk> walk = (*page)->Partition(0).Walk(range);
  EXPECT_FALSE(walk->Valid());
  EXPECT_EQ(walk->status().code(), Code::kCorruption);
  EXPECT_EQ(CheckIndexes(*Find("c")).status().code(), Code::kCorruption);
  ASSERT_TRUE(shard_->Compact(kIndexFamily, {}, {}).ok());
  EXPECT_EQ(StoredEntries(), 2);
}

TEST_F(IndexTest, TheCheckSeesWhatIsMissingAndWhatIsWrong) {
  MakeIndexed(Policy({"*"}));
  Create("1", R"({"a":1})");
  const IndexId index = Find("c")->state()->index->id;
  auto entry = [&](std::string_view json) {
    return IndexKey(index, std::string(BytesOf(PathOf("a"))) + ValueOf(json), MakeItemNumber(0, 1));
  };
  store::Batch batch;
  batch.Delete(kIndexFamily, entry("1"));
  batch.Put(kIndexFamily, entry("2"), "");
  ASSERT_TRUE(shard_->Write(batch, store::Durability::kSync).ok());
  const Result<IndexFindings> findings = CheckIndexes(*Find("c"));
  ASSERT_TRUE(findings.ok());
  EXPECT_EQ(findings->missing, 1);
  EXPECT_EQ(findings->wrong, 1);
  EXPECT_FALSE(findings->sound());
}

TEST_F(IndexTest, MoreEntriesThanACommitHoldsAreRefused) {
  IndexingDefinition policy;
  const std::vector<std::string> names = {"a", "b", "c", "d", "e"};
  for (int directions = 0; directions < 64; ++directions) {
    IndexingDefinition::Composite composite;
    for (size_t i = 0; i < names.size(); ++i) composite.push_back({{names[i]}, (directions >> i & 1) != 0});
    if (directions >= 32) std::reverse(composite.begin(), composite.end());
    policy.composites.push_back(composite);
  }
  MakeIndexed(policy);
  std::string json = "{\"z\":1";
  for (const std::string& name : names) json += ",\"" + name + "\":\"" + std::string(300, 'x') + "\"";
  json += "}";
  std::vector<ItemWrite> writes(900);
  for (size_t i = 0; i < writes.size(); ++i) {
    writes[i].address = Address(*Find("c"), "pk", std::to_string(i));
    writes[i].document = Bson(json);
  }
  const std::vector<std::string> before = Contents();
  AtomicOutcome outcome;
  Find("c")->WriteAtomically(std::move(writes), [&](AtomicOutcome done) { outcome = std::move(done); });
  EXPECT_EQ(outcome.status.code(), Code::kTooLarge);
  EXPECT_GT(outcome.failed_at, 500);
  EXPECT_LT(outcome.failed_at, 900);
  EXPECT_EQ(Contents(), before);
}

}  // namespace
}  // namespace lapse::engine
