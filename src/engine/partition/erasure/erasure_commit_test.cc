// A deleted partition key before its records are removed, as seen by atomic writes, groups of writes, items by number
// and unique keys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/catalog/counts/census.h"
#include "engine/catalog/throughput/request_meter.h"
#include "engine/partition/erasure/erasure_fixture.h"
#include "engine/records/ids/families.h"
#include "engine/records/prices/prices.h"

namespace lapse::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class ErasureCommitTest : public ErasureFixture {
 protected:
  static ItemWrite Operation(const ContainerPtr& container, WriteKind kind, std::string_view id,
                             std::string document = "") {
    ItemWrite write;
    write.kind = kind;
    write.address = Address(*container, "a", id);
    write.document = std::move(document);
    return write;
  }

  static AtomicOutcome WriteAll(const ContainerPtr& container, std::vector<ItemWrite> operations) {
    AtomicOutcome outcome;
    container->WriteAtomically(std::move(operations), [&](AtomicOutcome done) { outcome = std::move(done); });
    return outcome;
  }

  static NumberedItem Numbered(const ContainerPtr& container, ItemNumber number) {
    return {Address(*container, "a", "").key, number};
  }
  static ItemNumber NumberOf(const ContainerPtr& container, std::string_view id) {
    return container->Read(Address(*container, "a", id))->meta.number;
  }

  ContainerPtr MakeUnique() {
    EXPECT_TRUE(engine_->catalog_store().CreateDatabase("db", 0, "").ok());
    ContainerDefinition definition;
    definition.name = "c";
    definition.partition_key.paths = {doc::Path({"pk"})};
    definition.unique_keys.keys = {{{doc::Path({"email"})}}};
    return *engine_->catalog_store().CreateContainer("db", definition);
  }
};

TEST_F(ErasureCommitTest, AReadInAnAtomicWriteFindsNothing) {
  ContainerPtr c = MakeContainer("c", 1000);
  CreateMany(c, "a", 2);
  ASSERT_TRUE(Erase(c, "a").ok());
  ASSERT_TRUE(CreateIn(c, "a", "new", "new").ok());
  const std::vector<std::string> before = Contents();
  const AtomicOutcome reads =
      WriteAll(c, {Operation(c, WriteKind::kRead, "new"), Operation(c, WriteKind::kRead, "id0")});
  EXPECT_EQ(reads.status.code(), Code::kNotFound);
  EXPECT_EQ(reads.failed_at, 1U);
  ItemWrite has_any = Operation(c, WriteKind::kRead, "id0");
  has_any.precondition = {Precondition::Kind::kAbsent, {}};
  EXPECT_EQ(WriteAll(c, {has_any}).status.code(), Code::kNotFound) << "no version is known there";
  EXPECT_EQ(Contents(), before) << "reads remove nothing";
}

TEST_F(ErasureCommitTest, AnAtomicWriteTakesTheIdsOfDeletedItems) {
  ContainerPtr c = MakeContainer("c", 1000);
  CreateMany(c, "a", 3);
  ASSERT_TRUE(Erase(c, "a").ok());
  const AtomicOutcome done =
      WriteAll(c, {Operation(c, WriteKind::kCreate, "id0", "one"), Operation(c, WriteKind::kRead, "id0"),
                   Operation(c, WriteKind::kUpsert, "id1", "two"), Operation(c, WriteKind::kReplace, "id0", "three")});
  ASSERT_TRUE(done.status.ok()) << done.status.ToString();
  EXPECT_EQ(done.written[1].document, "one");
  EXPECT_TRUE(done.written[2].created);
  EXPECT_THAT(Feed(c), UnorderedElementsAre("three", "two"));
  EXPECT_EQ(Census(*c).Live()->items, 2);
  EXPECT_EQ(Census(*c).Erased()->items, 1);
  SweepAll();
  EXPECT_THAT(Feed(c), UnorderedElementsAre("three", "two"));
  EXPECT_EQ(Records(kHeadFamily), 2U);
}

TEST_F(ErasureCommitTest, AnAtomicWriteThatFailsLeavesWhatWasDeletedAsItWas) {
  ContainerPtr c = MakeContainer("c", 1000, 0, 3600);
  CreateMany(c, "a", 3);
  ASSERT_TRUE(Erase(c, "a").ok());
  const std::vector<std::string> before = Contents();
  const AtomicOutcome failed =
      WriteAll(c, {Operation(c, WriteKind::kCreate, "id0", "one"), Operation(c, WriteKind::kUpsert, "id1", "two"),
                   Operation(c, WriteKind::kReplace, "id2", "three")});
  EXPECT_EQ(failed.status.code(), Code::kNotFound);
  EXPECT_EQ(failed.failed_at, 2U);
  EXPECT_THAT(failed.milli_ru, ElementsAre(5000, 5000, kRefusedMilliRu));
  EXPECT_EQ(Contents(), before);
  EXPECT_THAT(Feed(c), IsEmpty());
  EXPECT_EQ(Census(*c).Erased()->items, 3);
}

TEST_F(ErasureCommitTest, OfManyWritesAtOnceEachFindsNothingThere) {
  ContainerPtr c = MakeContainer("c", 1000);
  CreateMany(c, "a", 4);
  ASSERT_TRUE(Erase(c, "a").ok());
  std::vector<MeteredWrite> writes;
  std::vector<std::string> answers;
  const auto add = [&](WriteKind kind, std::string_view id, std::string document = "") {
    writes.push_back({Operation(c, kind, id, std::move(document)), [&](const Result<ItemWritten>& done) {
                        answers.push_back(done.ok() ? done->document : std::string(CodeName(done.status().code())));
                      }});
  };
  add(WriteKind::kRead, "id0");
  add(WriteKind::kReplace, "id1", "no");
  add(WriteKind::kDelete, "id2");
  add(WriteKind::kCreate, "id0", "new");
  add(WriteKind::kRead, "id0");
  c->WriteEach(std::move(writes));
  EXPECT_THAT(answers, ElementsAre("not found", "not found", "not found", "new", "new"));
  EXPECT_THAT(Feed(c), ElementsAre("new"));
}

TEST_F(ErasureCommitTest, AnItemIsNotFoundByNumber) {
  ContainerPtr c = MakeContainer("c", 1000);
  CreateMany(c, "a", 1);
  CreateMany(c, "b", 1);
  const ItemNumber old = NumberOf(c, "id0");
  ASSERT_TRUE(c->Read(Numbered(c, old)).ok());
  ASSERT_TRUE(Erase(c, "a").ok());
  const auto expect_gone = [&](const ContainerPtr& container) {
    EXPECT_EQ(container->Read(Numbered(container, old)).status().code(), Code::kNotFound);
    EXPECT_EQ(container->FindId(Numbered(container, old), store::Reach::kDisk).status().code(), Code::kNotFound);
  };
  expect_gone(c);
  Restart();
  c = Find("c");
  expect_gone(c);
  ASSERT_TRUE(CreateIn(c, "a", "id0", "new").ok());
  expect_gone(c);
  EXPECT_EQ(c->Read(Numbered(c, NumberOf(c, "id0")))->document, "new");
  EXPECT_EQ(*c->FindId(Numbered(c, NumberOf(c, "id0")), store::Reach::kDisk), StringItemId("id0"));
  SweepAll();
  expect_gone(c);
}

TEST_F(ErasureCommitTest, AWriteForOneItemThatWasDeletedMeanwhileChangesNothing) {
  ContainerPtr c = MakeContainer("c", 1000);
  CreateMany(c, "a", 1);
  const ItemNumber old = NumberOf(c, "id0");
  ASSERT_TRUE(Erase(c, "a").ok());
  for (const bool id_is_taken : {false, true}) {
    if (id_is_taken) {
      ASSERT_TRUE(CreateIn(c, "a", "id0", "new").ok());
    }
    for (WriteKind kind : {WriteKind::kReplace, WriteKind::kUpsert, WriteKind::kDelete, WriteKind::kPatch}) {
      ItemWrite write = Operation(c, kind, "id0");
      if (kind == WriteKind::kReplace || kind == WriteKind::kUpsert) write.document = "no";
      write.only = old;
      EXPECT_EQ(Write(c, std::move(write)).status().code(), Code::kNotFound) << static_cast<int>(kind);
    }
    EXPECT_EQ(ReadIn(c, "a", "id0"), id_is_taken ? "new" : "not found");
  }
}

TEST_F(ErasureCommitTest, UniqueValuesOfDeletedItemsAreFreeInAnAtomicWrite) {
  ContainerPtr c = MakeUnique();
  // All documents without the property have the same value for it.
  const std::string document("\x05\0\0\0\0", 5);
  ASSERT_TRUE(CreateIn(c, "a", "first", document).ok());
  ASSERT_TRUE(Erase(c, "a").ok());
  const std::vector<std::string> before = Contents();
  const AtomicOutcome both = WriteAll(
      c, {Operation(c, WriteKind::kCreate, "second", document), Operation(c, WriteKind::kCreate, "third", document)});
  EXPECT_EQ(both.status.code(), Code::kUniqueKeyTaken) << "by the second, not by the first";
  EXPECT_EQ(both.failed_at, 1U);
  EXPECT_EQ(Contents(), before) << "the entry too";
  EXPECT_TRUE(
      WriteAll(c, {Operation(c, WriteKind::kCreate, "second", document), Operation(c, WriteKind::kDelete, "second"),
                   Operation(c, WriteKind::kCreate, "first", document)})
          .status.ok());
  EXPECT_EQ(CreateIn(c, "a", "second", document).status().code(), Code::kUniqueKeyTaken);
  SweepAll();
  EXPECT_EQ(CreateIn(c, "a", "second", document).status().code(), Code::kUniqueKeyTaken);
  EXPECT_EQ(Records(kUniqueFamily), 1U);
}

TEST_F(ErasureCommitTest, IsChargedOnceAndARefusalIsFree) {
  ContainerPtr c = MakeContainer("c", 1000);
  RequestMeter paid, refused;
  const auto erase = [&](std::string_view pk, RequestMeter* meter) {
    c->EraseKey(
        Address(*c, pk, "").key, [](const Result<ItemWritten>&) {}, meter);
  };
  erase("a", &paid);
  EXPECT_EQ(paid.milli_ru(), kDeleteMilliRu);
  for (size_t i = 1; i < kErasuresMax; ++i) ASSERT_TRUE(Erase(c, "k" + std::to_string(i)).ok());
  erase("more", &refused);
  EXPECT_EQ(refused.milli_ru(), 0);
}

}  // namespace
}  // namespace lapse::engine
