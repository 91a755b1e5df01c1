// Items by number: reads, and writes to one specific item.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "engine/catalog/throughput/request_meter.h"
#include "engine/engine_fixture.h"

namespace lapse::engine {
namespace {

class ItemNumbersTest : public EngineFixture {
 protected:
  static NumberedItem Numbered(const Container& container, ItemNumber number, std::string_view pk = "pk") {
    return {Address(container, pk, "").key, number};
  }

  // Returns the document, or the name of the error.
  static std::string ReadNumber(const ContainerPtr& container, ItemNumber number, std::string_view pk = "pk") {
    auto item = container->Read(Numbered(*container, number, pk));
    return item.ok() ? std::string(item->document) : std::string(CodeName(item.status().code()));
  }

  static Result<ItemWritten> WriteOnly(const ContainerPtr& container, ItemWrite::Kind kind, std::string_view id,
                                       ItemNumber only, std::string document = "") {
    ItemWrite write;
    write.kind = kind;
    write.address = Address(*container, "pk", id);
    write.document = std::move(document);
    write.only = only;
    return Write(container, std::move(write));
  }
};

TEST_F(ItemNumbersTest, ReadsWhatANameReads) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  const ItemNumber a = Create(c, "a", "one")->meta.number;
  const ItemNumber b = Create(c, "b", "two")->meta.number;
  EXPECT_EQ(ReadNumber(c, a), "one");
  EXPECT_EQ(ReadNumber(c, b), "two");
  ASSERT_TRUE(Put(c, ItemWrite::Kind::kReplace, "a", "three").ok());
  const Item by_number = *c->Read(Numbered(*c, a));
  const Item by_name = *c->Read(Address(*c, "pk", "a"));
  EXPECT_EQ(by_number.document, "three");
  EXPECT_EQ(by_number.meta.version, by_name.meta.version);
  EXPECT_EQ(by_number.meta.lsn, by_name.meta.lsn);
  EXPECT_EQ(by_number.meta.number, a);
  EXPECT_EQ(*c->FindId(Numbered(*c, a), store::Reach::kDisk), StringItemId("a"));
}

TEST_F(ItemNumbersTest, WhatIsNotThereIsNotFound) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  ContainerPtr other = MakeContainer("other", std::nullopt);
  const ItemNumber a = Create(c, "a", "one")->meta.number;
  EXPECT_EQ(ReadNumber(c, a + 1), "not found");
  EXPECT_EQ(ReadNumber(c, 0), "not found");
  EXPECT_EQ(ReadNumber(c, UINT64_MAX), "not found");
  EXPECT_EQ(ReadNumber(other, a), "not found");
  EXPECT_EQ(ReadNumber(c, a, "another key"), "not found");
  ASSERT_TRUE(Put(c, ItemWrite::Kind::kDelete, "a", "").ok());
  EXPECT_EQ(ReadNumber(c, a), "not found");
  EXPECT_EQ(c->FindId(Numbered(*c, a), store::Reach::kDisk).status().code(), Code::kNotFound);
  const ItemNumber again = Create(c, "a", "two")->meta.number;
  EXPECT_EQ(ReadNumber(c, a), "not found") << "another item has the id now";
  EXPECT_EQ(ReadNumber(c, again), "two");
}

TEST_F(ItemNumbersTest, AnItemEndsInTheSecondOfItsExpiry) {
  ContainerPtr c = MakeContainer("c", 10);
  const ItemNumber a = Create(c, "a", "one")->meta.number;
  const ItemNumber own = Create(c, "own", "two", 5)->meta.number;
  PassSeconds(4);
  EXPECT_EQ(ReadNumber(c, own), "two");
  PassSeconds(1);
  EXPECT_EQ(ReadNumber(c, own), "not found");
  EXPECT_EQ(ReadNumber(c, a), "one");
  PassSeconds(5);
  EXPECT_EQ(ReadNumber(c, a), "not found");
  EXPECT_EQ(c->FindId(Numbered(*c, a), store::Reach::kDisk).status().code(), Code::kNotFound);
}

TEST_F(ItemNumbersTest, AWriteForOneItemIsJudgedAtItsCommit) {
  ContainerPtr c = MakeContainer("c", 10);
  const ItemNumber first = Create(c, "a", "one")->meta.number;
  EXPECT_TRUE(WriteOnly(c, ItemWrite::Kind::kReplace, "a", first, "two").ok());
  EXPECT_EQ(Read(c, "a"), "two");

  PassSeconds(10);
  const ItemNumber second = Create(c, "a", "three")->meta.number;
  ASSERT_NE(first, second);
  for (ItemWrite::Kind kind :
       {ItemWrite::Kind::kReplace, ItemWrite::Kind::kDelete, ItemWrite::Kind::kPatch, ItemWrite::Kind::kUpsert}) {
    EXPECT_EQ(WriteOnly(c, kind, "a", first, "four").status().code(), Code::kNotFound);
  }
  EXPECT_EQ(Read(c, "a"), "three");
  EXPECT_TRUE(WriteOnly(c, ItemWrite::Kind::kDelete, "a", second).ok());
  EXPECT_EQ(WriteOnly(c, ItemWrite::Kind::kReplace, "a", second, "five").status().code(), Code::kNotFound);
  EXPECT_EQ(Read(c, "a"), "not found");
}

TEST_F(ItemNumbersTest, TheConditionIsAskedOfThatItemAlone) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  const ItemWritten first = *Create(c, "a", "one");
  ItemWrite write;
  write.kind = ItemWrite::Kind::kReplace;
  write.address = Address(*c, "pk", "a");
  write.document = "two";
  write.only = first.meta.number;
  write.precondition = {Precondition::Kind::kDiffers, first.meta.version};
  EXPECT_EQ(Write(c, write).status().code(), Code::kPreconditionFailed);
  write.only = first.meta.number + 1;
  EXPECT_EQ(Write(c, write).status().code(), Code::kNotFound) << "an item that is not there has no version";
}

TEST_F(ItemNumbersTest, CostWhatTheSameByNameCosts) {
  ContainerPtr c = MakeContainer("c", std::nullopt, 400);
  const ItemNumber a = Create(c, "a", std::string(3000, 'x'))->meta.number;
  RequestMeter by_name, by_number, missing, resolved;
  EXPECT_TRUE(c->Read(Address(*c, "pk", "a"), {}, &by_name).ok());
  EXPECT_TRUE(c->Read(Numbered(*c, a), {}, &by_number).ok());
  EXPECT_EQ(by_name.milli_ru(), by_number.milli_ru());
  EXPECT_FALSE(c->Read(Numbered(*c, a + 1), {}, &missing).ok());
  EXPECT_GT(missing.milli_ru(), 0);
  EXPECT_TRUE(c->FindId(Numbered(*c, a), store::Reach::kDisk, &resolved).ok());
  EXPECT_EQ(resolved.milli_ru(), 0) << "the write that follows pays";
}

TEST_F(ItemNumbersTest, TheCatalogKnowsByIdWhatItKnowsByName) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  const DatabasePtr db = *engine_->catalog().FindDatabase("db");
  EXPECT_EQ(*engine_->catalog().FindDatabase(db->id), db);
  EXPECT_EQ(*engine_->catalog().FindContainer(db->id, c->id()), c);
  EXPECT_EQ(engine_->catalog().FindContainer(db->id + 1, c->id()).status().code(), Code::kNotFound);
  EXPECT_EQ(engine_->catalog().FindContainer(db->id, c->id() + 1).status().code(), Code::kNotFound);
  Restart();
  EXPECT_EQ((*engine_->catalog().FindContainer(db->id, c->id()))->id(), c->id());
  ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "c", 0).ok());
  EXPECT_EQ(engine_->catalog().FindContainer(db->id, c->id()).status().code(), Code::kNotFound);
  ASSERT_TRUE(engine_->catalog_store().DropDatabase("db").ok());
  EXPECT_EQ(engine_->catalog().FindDatabase(db->id).status().code(), Code::kNotFound);
}

}  // namespace
}  // namespace lapse::engine
