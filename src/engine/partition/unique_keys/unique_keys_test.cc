// Unique keys: no two live items of a logical partition have equal values, and expired items do not block any.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fail_point.h"
#include "doc/edit.h"
#include "doc/json.h"
#include "engine/engine_fixture.h"
#include "engine/records/ids/families.h"
#include "engine/shard/reclaim/reclaimer.h"
#include "engine/shard/sweep/sweeper.h"
#include "engine/time/clock_era.h"
#include "engine/time/clock_mark.h"

namespace lapse::engine {
namespace {

using ::testing::ElementsAre;
using Kind = ItemWrite::Kind;

// Documents have no lifetimes of their own.
class NoRules : public PatchRules {
 public:
  Status Explain(const std::vector<doc::Edit>& /*edits*/, const doc::EditError& /*error*/) const override {
    return {Code::kInvalidArgument, "an edit fails"};
  }
  Result<std::optional<int32_t>> OwnTtlOf(std::string_view /*document*/) const override {
    return std::optional<int32_t>();
  }
};

class UniqueKeysTest : public EngineFixture {
 protected:
  static std::string Bson(std::string_view json) {
    std::string bson;
    EXPECT_TRUE(doc::JsonToBson(json, {}, &bson).ok()) << json;
    return bson;
  }

  // Each key is a list of paths.
  Result<ContainerPtr> TryMake(std::string_view name, const std::vector<std::vector<std::string>>& keys,
                               std::optional<int32_t> default_ttl = -1) {
    if (!engine_->catalog().FindDatabase("db").ok()) {
      EXPECT_TRUE(engine_->catalog_store().CreateDatabase("db", 0, "").ok());
    }
    ContainerDefinition definition;
    definition.name = name;
    definition.partition_key.paths = {doc::Path({"pk"})};
    definition.default_ttl = default_ttl;
    for (const std::vector<std::string>& paths : keys) {
      UniqueKeysDefinition::Key key;
      for (const std::string& path : paths) key.paths.push_back(*doc::Path::FromSlashes(path));
      definition.unique_keys.keys.push_back(std::move(key));
    }
    return engine_->catalog_store().CreateContainer("db", definition);
  }
  ContainerPtr Make(std::string_view name, const std::vector<std::vector<std::string>>& keys,
                    std::optional<int32_t> default_ttl = -1) {
    auto made = TryMake(name, keys, default_ttl);
    EXPECT_TRUE(made.ok()) << made.status().ToString();
    return *made;
  }

  ItemWrite Operation(const ContainerPtr& container, Kind kind, std::string_view id, std::string_view json = "",
                      std::optional<int32_t> own_ttl = std::nullopt) {
    ItemWrite write;
    write.kind = kind;
    write.address = Address(*container, "pk", id);
    if (!json.empty()) write.document = Bson(json);
    write.own_ttl = own_ttl;
    return write;
  }
  ItemWrite SetValue(const ContainerPtr& container, std::string_view id, std::string_view path,
                     std::string_view value_json) {
    ItemWrite write = Operation(container, Kind::kPatch, id);
    doc::Edit edit;
    edit.kind = doc::Edit::Kind::kSet;
    edit.path = *doc::Path::FromPointer(path, 100);
    const std::string holder = Bson("{\"v\":" + std::string(value_json) + "}");
    edit.value = doc::OwnedValue(doc::Find(holder, "v"));
    write.patch = {.edits = {std::move(edit)}, .limits = {}, .rules = &rules_};
    return write;
  }

  // Returns the outcome in one word.
  std::string_view Try(const ContainerPtr& container, Kind kind, std::string_view id, std::string_view json = "",
                       std::optional<int32_t> own_ttl = std::nullopt) {
    return Send(container, Operation(container, kind, id, json, own_ttl));
  }
  static std::string_view Send(const ContainerPtr& container, ItemWrite write) {
    return CodeName(Write(container, std::move(write)).status().code());
  }
  AtomicOutcome SendAll(const ContainerPtr& container, std::vector<ItemWrite> operations) {
    AtomicOutcome outcome;
    container->WriteAtomically(std::move(operations), [&](AtomicOutcome done) { outcome = std::move(done); });
    return outcome;
  }

  void SweepAll() {
    while (engine_->SweepTurn()) continue;
  }
  size_t StoredEntries() {
    EXPECT_TRUE(shard_->Compact(kUniqueFamily, {}, {}).ok());
    std::unique_ptr<store::Iterator> records = shard_->NewIterator(kUniqueFamily, {});
    size_t count = 0;
    for (records->SeekToFirst(); records->Valid(); records->Next()) ++count;
    return count;
  }

  static constexpr std::string_view kTaken = "unique key taken";
  NoRules rules_;
};

TEST_F(UniqueKeysTest, HoldForEachKindOfWrite) {
  ContainerPtr c = Make("c", {{"/mail"}});
  ASSERT_EQ(Try(c, Kind::kCreate, "a", R"({"mail":"x"})"), "ok");
  ASSERT_EQ(Try(c, Kind::kCreate, "b", R"({"mail":"y"})"), "ok");
  EXPECT_EQ(Try(c, Kind::kCreate, "c", R"({"mail":"x"})"), kTaken);
  EXPECT_EQ(Try(c, Kind::kUpsert, "c", R"({"mail":"x"})"), kTaken) << "an upsert that creates";
  EXPECT_EQ(Try(c, Kind::kUpsert, "b", R"({"mail":"x"})"), kTaken) << "an upsert that replaces";
  EXPECT_EQ(Try(c, Kind::kReplace, "b", R"({"mail":"x"})"), kTaken);
  EXPECT_EQ(Send(c, SetValue(c, "b", "/mail", R"("x")")), kTaken);
  EXPECT_EQ(Read(c, "b"), Bson(R"({"mail":"y"})"));
  EXPECT_EQ(Read(c, "c"), "not found");

  EXPECT_EQ(Try(c, Kind::kReplace, "a", R"({"mail":"x","n":1})"), "ok") << "it keeps its own values";
  EXPECT_EQ(Send(c, SetValue(c, "a", "/n", "2")), "ok");
  EXPECT_EQ(Try(c, Kind::kCreate, "a", R"({"mail":"z"})"), "already exists") << "the id comes first";
}

TEST_F(UniqueKeysTest, ValuesThatWereGivenUpAreFree) {
  ContainerPtr c = Make("c", {{"/mail"}});
  ASSERT_EQ(Try(c, Kind::kCreate, "a", R"({"mail":"x"})"), "ok");
  ASSERT_EQ(Try(c, Kind::kReplace, "a", R"({"mail":"y"})"), "ok");
  EXPECT_EQ(Try(c, Kind::kCreate, "b", R"({"mail":"x"})"), "ok");
  ASSERT_EQ(Send(c, SetValue(c, "a", "/mail", R"("z")")), "ok");
  EXPECT_EQ(Try(c, Kind::kCreate, "c", R"({"mail":"y"})"), "ok");
  ASSERT_EQ(Try(c, Kind::kDelete, "a"), "ok");
  EXPECT_EQ(Try(c, Kind::kCreate, "d", R"({"mail":"z"})"), "ok");
  EXPECT_EQ(Try(c, Kind::kCreate, "e", R"({"mail":"z"})"), kTaken);
}

// By the time the expired item is removed, the entry names the new holder.
TEST_F(UniqueKeysTest, WhoGaveValuesUpLeavesThemToTheNewHolder) {
  ContainerPtr c = Make("c", {{"/mail"}}, 10);
  ASSERT_EQ(Try(c, Kind::kCreate, "a", R"({"mail":"x"})"), "ok");
  PassSeconds(10);
  ASSERT_EQ(Try(c, Kind::kCreate, "b", R"({"mail":"x"})", -1), "ok");
  ASSERT_EQ(Try(c, Kind::kCreate, "a", R"({"mail":"y"})"), "ok") << "the expired item goes, and its entry not with it";
  EXPECT_EQ(Try(c, Kind::kCreate, "c", R"({"mail":"x"})"), kTaken);
  SweepAll();
  EXPECT_EQ(Try(c, Kind::kCreate, "c", R"({"mail":"x"})"), kTaken);
}

TEST_F(UniqueKeysTest, AreOfOneLogicalPartition) {
  ContainerPtr c = Make("c", {{"/mail"}});
  for (const char* pk : {"p", "q"}) {
    ItemWrite write = Operation(c, Kind::kCreate, "a", R"({"mail":"x"})");
    write.address = Address(*c, pk, "a");
    EXPECT_EQ(Send(c, std::move(write)), "ok");
  }
}

TEST_F(UniqueKeysTest, ValuesAreComparedByTypeAndWorth) {
  ContainerPtr c = Make("c", {{"/v"}});
  const std::vector<std::string> different = {"null",
                                              "false",
                                              "true",
                                              "0",
                                              "1",
                                              "1.5",
                                              "9007199254740992",
                                              "9007199254740993",
                                              "1e300",
                                              R"("")",
                                              R"("1")",
                                              R"("a")",
                                              R"("A")",
                                              R"("a ")",
                                              "[]",
                                              "[1]",
                                              "[1,2]",
                                              "[[1],2]",
                                              "{}",
                                              R"({"a":1})",
                                              R"({"a":1,"b":2})",
                                              R"({"a":{"b":2}})",
                                              R"({"0":1})"};
  int id = 0;
  for (const std::string& value : different) {
    EXPECT_EQ(Try(c, Kind::kCreate, std::to_string(++id), "{\"v\":" + value + "}"), "ok") << value;
  }
  const std::vector<std::string> again = {
      R"({"v":null})", R"({"w":1})",       R"({"v":true})",          R"({"v":0.0})",
      R"({"v":-0.0})", R"({"v":1.0})",     R"({"v":10e-1})",         R"({"v":9007199254740992.0})",
      R"({"v":"a"})",  R"({"v":[1.0,2]})", R"({"v":{"b":2,"a":1}})", R"({"v":{"a":{"b":2.0}}})"};
  for (const std::string& document : again) {
    EXPECT_EQ(Try(c, Kind::kCreate, std::to_string(++id), document), kTaken) << document;
  }
}

TEST_F(UniqueKeysTest, AllPathsOfAKeyCountTogether) {
  ContainerPtr c = Make("c", {{"/first", "/name/last"}});
  EXPECT_EQ(Try(c, Kind::kCreate, "1", R"({"first":"a","name":{"last":"b"}})"), "ok");
  EXPECT_EQ(Try(c, Kind::kCreate, "2", R"({"first":"a","name":{"last":"c"}})"), "ok");
  EXPECT_EQ(Try(c, Kind::kCreate, "3", R"({"first":"b","name":{"last":"a"}})"), "ok");
  EXPECT_EQ(Try(c, Kind::kCreate, "4", R"({"first":"ab"})"), "ok");
  EXPECT_EQ(Try(c, Kind::kCreate, "5", R"({"first":"ab","name":{"last":null}})"), kTaken) << "missing is null";
  EXPECT_EQ(Try(c, Kind::kCreate, "6", R"({"first":"ab","name":"b"})"), kTaken) << "there is nothing within a text";
  EXPECT_EQ(Try(c, Kind::kCreate, "7", R"({"first":"a","name":{"last":"b"}})"), kTaken);
  EXPECT_EQ(Try(c, Kind::kCreate, "8", "{}"), "ok");
  EXPECT_EQ(Try(c, Kind::kCreate, "9", "{}"), kTaken) << "an item without any of the values counts";
}

TEST_F(UniqueKeysTest, WhatIsInAnArrayIsMissing) {
  ContainerPtr c = Make("c", {{"/list/0"}, {"/list/name"}});
  EXPECT_EQ(Try(c, Kind::kCreate, "1", R"({"list":[1]})"), "ok");
  EXPECT_EQ(Try(c, Kind::kCreate, "2", R"({"list":[{"name":"a"}]})"), kTaken);
  EXPECT_EQ(Try(c, Kind::kCreate, "3", R"({"list":{"0":1,"name":"a"}})"), "ok");
}

TEST_F(UniqueKeysTest, EachKeyHoldsByItself) {
  ContainerPtr c = Make("c", {{"/a"}, {"/b"}});
  EXPECT_EQ(Try(c, Kind::kCreate, "1", R"({"a":1,"b":2})"), "ok");
  EXPECT_EQ(Try(c, Kind::kCreate, "2", R"({"a":2,"b":1})"), "ok");
  EXPECT_EQ(Try(c, Kind::kCreate, "3", R"({"a":1,"b":3})"), kTaken);
  EXPECT_EQ(Try(c, Kind::kCreate, "3", R"({"a":3,"b":2})"), kTaken);
  EXPECT_EQ(Try(c, Kind::kCreate, "3", R"({"a":3,"b":3})"), "ok") << "what was refused left nothing";
}

TEST_F(UniqueKeysTest, AnExpiredHolderIsFreeAtThatSecond) {
  ContainerPtr c = Make("c", {{"/mail"}}, 10);
  ASSERT_EQ(Try(c, Kind::kCreate, "inherits", R"({"mail":"x"})"), "ok");
  ASSERT_EQ(Try(c, Kind::kCreate, "own", R"({"mail":"y"})", 20), "ok");
  PassSeconds(9);
  EXPECT_EQ(Try(c, Kind::kCreate, "a", R"({"mail":"x"})"), kTaken);
  PassSeconds(1);
  EXPECT_EQ(Try(c, Kind::kCreate, "a", R"({"mail":"x"})"), "ok");
  PassSeconds(9);
  EXPECT_EQ(Try(c, Kind::kReplace, "a", R"({"mail":"y"})"), kTaken);
  EXPECT_EQ(Read(c, "a"), Bson(R"({"mail":"x"})"));
  PassSeconds(1);
  EXPECT_EQ(Try(c, Kind::kCreate, "b", R"({"mail":"y"})"), "ok");
  EXPECT_EQ(Try(c, Kind::kCreate, "c", R"({"mail":"y"})"), kTaken);
}

TEST_F(UniqueKeysTest, AHolderThatLivesOnKeepsItsValues) {
  ContainerPtr c = Make("c", {{"/mail"}}, 10);
  ASSERT_EQ(Try(c, Kind::kCreate, "a", R"({"mail":"x"})"), "ok");
  PassSeconds(9);
  ASSERT_EQ(Try(c, Kind::kReplace, "a", R"({"mail":"x","n":1})"), "ok");
  PassSeconds(9);
  EXPECT_EQ(Try(c, Kind::kCreate, "b", R"({"mail":"x"})"), kTaken) << "by the version that is there now";
  ASSERT_TRUE(engine_->catalog_store().ReplaceContainer("db", "c", {100, "", 0, {}}, 0).ok());
  PassSeconds(50);
  EXPECT_EQ(Try(c, Kind::kCreate, "b", R"({"mail":"x"})"), kTaken) << "by the policy that is in force now";
}

TEST_F(UniqueKeysTest, APurgedHolderIsFreeToo) {
  ContainerPtr c = Make("c", {{"/mail"}}, 10);
  for (const char* value : {"x", "y", "z"}) {
    ASSERT_EQ(Try(c, Kind::kCreate, value, std::string(R"({"mail":")") + value + "\"}"), "ok");
  }
  PassSeconds(10);
  SweepAll();
  EXPECT_EQ(Try(c, Kind::kCreate, "x", R"({"mail":"x"})"), "ok") << "under the same id";
  EXPECT_EQ(Try(c, Kind::kCreate, "a", R"({"mail":"y"})"), "ok") << "under another";
  for (store::FamilyId family : kItemFamilies) ASSERT_TRUE(shard_->Compact(family, {}, {}).ok());
  EXPECT_EQ(Try(c, Kind::kCreate, "b", R"({"mail":"z"})"), "ok") << "when its records are gone";
  for (const char* value : {"x", "y", "z"}) {
    EXPECT_EQ(Try(c, Kind::kCreate, "more", std::string(R"({"mail":")") + value + "\"}"), kTaken) << value;
  }
}

TEST_F(UniqueKeysTest, WhatDiedUnderAnOldPolicyStaysFree) {
  ContainerPtr c = Make("c", {{"/mail"}}, 10);
  ASSERT_EQ(Try(c, Kind::kCreate, "a", R"({"mail":"x"})"), "ok");
  PassSeconds(10);
  ASSERT_TRUE(engine_->catalog_store().ReplaceContainer("db", "c", {1000, "", 0, {}}, 0).ok());
  EXPECT_EQ(Try(c, Kind::kCreate, "b", R"({"mail":"x"})"), "ok");
}

TEST_F(UniqueKeysTest, TheOperationsOfAnAtomicWriteSeeEachOther) {
  ContainerPtr c = Make("c", {{"/mail"}});
  ASSERT_EQ(Try(c, Kind::kCreate, "a", R"({"mail":"x"})"), "ok");
  AtomicOutcome done = SendAll(
      c, {Operation(c, Kind::kCreate, "b", R"({"mail":"y"})"), Operation(c, Kind::kCreate, "c", R"({"mail":"y"})")});
  EXPECT_EQ(done.status.code(), Code::kUniqueKeyTaken);
  EXPECT_EQ(done.failed_at, 1U);
  EXPECT_EQ(Try(c, Kind::kCreate, "d", R"({"mail":"y"})"), "ok") << "what was taken back holds nothing";

  done = SendAll(c, {Operation(c, Kind::kDelete, "a"), Operation(c, Kind::kCreate, "e", R"({"mail":"x"})"),
                     SetValue(c, "d", "/mail", R"("z")"), Operation(c, Kind::kCreate, "f", R"({"mail":"y"})")});
  EXPECT_TRUE(done.status.ok()) << done.status.ToString();
  done = SendAll(c, {Operation(c, Kind::kDelete, "e"), Operation(c, Kind::kReplace, "f", R"({"mail":"x"})"),
                     Operation(c, Kind::kCreate, "f", R"({"mail":"w"})")});
  EXPECT_EQ(done.status.code(), Code::kAlreadyExists);
  EXPECT_EQ(Try(c, Kind::kCreate, "g", R"({"mail":"x"})"), kTaken) << "its holder was not deleted after all";
  EXPECT_EQ(Try(c, Kind::kCreate, "g", R"({"mail":"y"})"), kTaken);
}

TEST_F(UniqueKeysTest, AnAtomicWriteFindsTheValuesOfAnExpiredItemFree) {
  ContainerPtr c = Make("c", {{"/mail"}}, 10);
  ASSERT_EQ(Try(c, Kind::kCreate, "a", R"({"mail":"x"})"), "ok");
  auto batch = [&] {
    return SendAll(
        c, {Operation(c, Kind::kCreate, "b", R"({"mail":"y"})"), Operation(c, Kind::kCreate, "c", R"({"mail":"x"})")});
  };
  PassSeconds(9);
  const AtomicOutcome before = batch();
  EXPECT_EQ(before.status.code(), Code::kUniqueKeyTaken);
  EXPECT_EQ(before.failed_at, 1U);
  PassSeconds(1);
  EXPECT_TRUE(batch().status.ok());
  EXPECT_EQ(Read(c, "c"), Bson(R"({"mail":"x"})"));
}

// The writes wait during a sweep and share the commit after it.
TEST_F(UniqueKeysTest, TheWritesOfOneGroupSeeEachOther) {
  ContainerPtr c = Make("c", {{"/mail"}});
  ASSERT_EQ(Try(c, Kind::kCreate, "dies", R"({"mail":"w"})", 1), "ok");
  PassSeconds(1);
  std::vector<std::string> answers;
  auto send = [&](ItemWrite write) {
    c->Write(std::move(write),
             [&](const Result<ItemWritten>& done) { answers.emplace_back(CodeName(done.status().code())); });
  };
  {
    ScopedFailPoint meanwhile("sweep.published", 1, [&] {
      send(Operation(c, Kind::kCreate, "a", R"({"mail":"x"})"));
      send(Operation(c, Kind::kCreate, "b", R"({"mail":"x"})"));
      send(Operation(c, Kind::kDelete, "a"));
      send(Operation(c, Kind::kCreate, "c", R"({"mail":"x"})"));
      send(Operation(c, Kind::kCreate, "d", R"({"mail":"w"})"));
      EXPECT_TRUE(answers.empty());
      return Status::Ok();
    });
    SweepAll();
  }
  EXPECT_THAT(answers, ElementsAre("ok", kTaken, "ok", "ok", "ok"));
}

TEST_F(UniqueKeysTest, DifferentValuesOfOneHashStandSideBySide) {
  ScopedFailPoint collide("unique_keys.one_hash", FailPoint::kAlways,
                          [] { return Status(Code::kInternal, "all are one"); });
  ContainerPtr c = Make("c", {{"/mail"}}, 10);
  ASSERT_EQ(Try(c, Kind::kCreate, "a", R"({"mail":"x"})"), "ok");
  ASSERT_EQ(Try(c, Kind::kCreate, "b", R"({"mail":"y"})"), "ok");
  ASSERT_EQ(Try(c, Kind::kCreate, "c", R"({"mail":"z"})", 20), "ok");
  EXPECT_EQ(StoredEntries(), 1U);
  for (const char* value : {"x", "y", "z"}) {
    EXPECT_EQ(Try(c, Kind::kCreate, "d", std::string(R"({"mail":")") + value + "\"}"), kTaken) << value;
  }
  ASSERT_EQ(Try(c, Kind::kDelete, "a"), "ok");
  EXPECT_EQ(Try(c, Kind::kCreate, "d", R"({"mail":"y"})"), kTaken);
  EXPECT_EQ(Try(c, Kind::kReplace, "b", R"({"mail":"x"})"), "ok") << "to another value of the same entry";
  EXPECT_EQ(Try(c, Kind::kCreate, "d", R"({"mail":"x"})"), kTaken);
  PassSeconds(10);
  SweepAll();
  EXPECT_EQ(Try(c, Kind::kCreate, "d", R"({"mail":"x"})"), "ok");
  EXPECT_EQ(Try(c, Kind::kCreate, "e", R"({"mail":"z"})"), kTaken);
  PassSeconds(10);
  EXPECT_EQ(Try(c, Kind::kCreate, "e", R"({"mail":"z"})"), "ok");
}

TEST_F(UniqueKeysTest, SurviveARestart) {
  ContainerPtr c = Make("c", {{"/mail"}, {"/a", "/b/c"}}, 10);
  const UniqueKeysDefinition definition = c->state()->definition.unique_keys;
  ASSERT_EQ(Try(c, Kind::kCreate, "a", R"({"mail":"x"})"), "ok");
  c.reset();
  Restart();
  c = Find("c");
  EXPECT_EQ(c->state()->definition.unique_keys, definition);
  EXPECT_EQ(Try(c, Kind::kCreate, "b", R"({"mail":"x","a":1})"), kTaken);
  PassSeconds(10);
  EXPECT_EQ(Try(c, Kind::kCreate, "b", R"({"mail":"x","a":1})"), "ok");
}

TEST_F(UniqueKeysTest, AChangeOfTheContainerLeavesThem) {
  ContainerPtr c = Make("c", {{"/mail"}});
  ASSERT_EQ(Try(c, Kind::kCreate, "a", R"({"mail":"x"})"), "ok");
  ASSERT_TRUE(engine_->catalog_store().ReplaceContainer("db", "c", {100, "", 0, {}}, 0).ok());
  EXPECT_EQ(Try(Find("c"), Kind::kCreate, "b", R"({"mail":"x"})"), kTaken);
}

TEST_F(UniqueKeysTest, GoWithTheirContainer) {
  ContainerPtr c = Make("c", {{"/mail"}});
  ASSERT_EQ(Try(c, Kind::kCreate, "a", R"({"mail":"x"})"), "ok");
  ContainerPtr other = Make("other", {{"/mail"}});
  EXPECT_EQ(Try(other, Kind::kCreate, "a", R"({"mail":"x"})"), "ok");
  c.reset();
  ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "c", 0).ok());
  EXPECT_EQ(StoredEntries(), 1U);
  c = Make("c", {{"/mail"}});
  EXPECT_EQ(Try(c, Kind::kCreate, "a", R"({"mail":"x"})"), "ok");
}

TEST_F(UniqueKeysTest, EntriesOfItemsThatAreGoneGoByCompaction) {
  ContainerPtr c = Make("c", {{"/n"}}, -1);
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(Try(c, Kind::kCreate, "dies" + std::to_string(i), "{\"n\":" + std::to_string(i) + "}", 10), "ok");
  }
  ASSERT_EQ(Try(c, Kind::kCreate, "lives", R"({"n":100})"), "ok");
  ASSERT_EQ(Try(c, Kind::kCreate, "deleted", R"({"n":101})"), "ok");
  ASSERT_EQ(Try(c, Kind::kDelete, "deleted"), "ok");
  EXPECT_EQ(StoredEntries(), 21U);
  PassSeconds(10);
  while (engine_->QuietReclaimTurn()) continue;
  EXPECT_EQ(StoredEntries(), 21U) << "nothing goes before it was purged";
  SweepAll();
  ASSERT_EQ(Try(c, Kind::kCreate, "new", R"({"n":5})"), "ok") << "under a number that the mark does not know yet";
  while (engine_->QuietReclaimTurn()) continue;
  EXPECT_EQ(StoredEntries(), 2U);
  EXPECT_EQ(Try(c, Kind::kCreate, "a", R"({"n":100})"), kTaken);
  EXPECT_EQ(Try(c, Kind::kCreate, "a", R"({"n":5})"), kTaken);
  EXPECT_EQ(Try(c, Kind::kCreate, "a", R"({"n":6})"), "ok");
}

// An entry with a live holder stays, whatever its other holders are.
TEST_F(UniqueKeysTest, AnEntryStaysForTheLastOfItsItems) {
  ScopedFailPoint collide("unique_keys.one_hash", FailPoint::kAlways,
                          [] { return Status(Code::kInternal, "all are one"); });
  ContainerPtr c = Make("c", {{"/n"}}, -1);
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(Try(c, Kind::kCreate, std::to_string(i), "{\"n\":" + std::to_string(i) + "}", i == 2 ? 20 : 10), "ok");
  }
  PassSeconds(10);
  SweepAll();
  while (engine_->QuietReclaimTurn()) continue;
  EXPECT_EQ(StoredEntries(), 1U);
  EXPECT_EQ(Try(c, Kind::kCreate, "a", R"({"n":2})"), kTaken);
  PassSeconds(10);
  SweepAll();
  while (engine_->QuietReclaimTurn()) continue;
  EXPECT_EQ(StoredEntries(), 0U);
}

// Sweeps are late, and items with the same values expire repeatedly.
TEST_F(UniqueKeysTest, AnEntryDoesNotGrowWithoutEnd) {
  ContainerPtr c = Make("c", {{"/n"}}, 1);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(Try(c, Kind::kCreate, std::to_string(i), R"({"n":1})"), "ok");
    ASSERT_EQ(Try(c, Kind::kCreate, "other", R"({"n":1})"), kTaken);
    PassSeconds(1);
  }
  std::unique_ptr<store::Iterator> entries = shard_->NewIterator(kUniqueFamily, {});
  entries->SeekToFirst();
  ASSERT_TRUE(entries->Valid());
  EXPECT_LE(entries->value().size(), 1 + 17 * sizeof(ItemNumber));
}

TEST_F(UniqueKeysTest, ItemsThatLiveAgainAfterAResetHoldTheirValues) {
  ContainerPtr c = Make("c", {{"/mail"}}, 10);
  ASSERT_EQ(Try(c, Kind::kCreate, "a", R"({"mail":"x"})"), "ok");
  PassSeconds(10);
  ASSERT_EQ(Try(c, Kind::kCreate, "b", R"({"mail":"x"})"), "ok");
  c.reset();
  engine_.reset();
  wall_.Advance(-5 * 1000);
  ASSERT_TRUE(BeginClockEra(shard_.get()).ok());
  ASSERT_TRUE(ClockMark(shard_.get(), nullptr).Save({.high_water_ms = wall_.NowMs()}).ok());
  Restart();
  c = Find("c");
  ASSERT_EQ(Read(c, "a"), Bson(R"({"mail":"x"})")) << "that is what a reset is for";
  ASSERT_EQ(Read(c, "b"), Bson(R"({"mail":"x"})"));
  EXPECT_EQ(Try(c, Kind::kReplace, "a", R"({"mail":"x","n":1})"), "ok");
  ASSERT_EQ(Try(c, Kind::kDelete, "b"), "ok");
  EXPECT_EQ(Try(c, Kind::kCreate, "c", R"({"mail":"x"})"), kTaken);
  ASSERT_EQ(Try(c, Kind::kDelete, "a"), "ok");
  EXPECT_EQ(Try(c, Kind::kCreate, "c", R"({"mail":"x"})"), "ok");
}

TEST_F(UniqueKeysTest, ADamagedEntryIsReportedAndChangesNothing) {
  ContainerPtr c = Make("c", {{"/mail"}});
  ASSERT_EQ(Try(c, Kind::kCreate, "a", R"({"mail":"x"})"), "ok");
  std::unique_ptr<store::Iterator> entries = shard_->NewIterator(kUniqueFamily, {});
  entries->SeekToFirst();
  ASSERT_TRUE(entries->Valid());
  store::Batch batch;
  batch.Put(kUniqueFamily, entries->key(), std::string("\x01nonsense!"));
  ASSERT_TRUE(shard_->Write(batch, store::Durability::kSync).ok());
  EXPECT_EQ(Try(c, Kind::kCreate, "b", R"({"mail":"x"})"), "corruption");
  EXPECT_EQ(Read(c, "b"), "not found");
  EXPECT_EQ(Try(c, Kind::kCreate, "b", R"({"mail":"y"})"), "ok");
  EXPECT_EQ(StoredEntries(), 2U) << "a compaction does not touch what it cannot read";
}

TEST_F(UniqueKeysTest, DefinitionsHaveLimits) {
  EXPECT_EQ(TryMake("c", {{}}).status().code(), Code::kInvalidArgument);
  const std::vector<std::string> one = {"/a"};
  EXPECT_EQ(TryMake("c", std::vector(256, one)).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(TryMake("c", {std::vector<std::string>(256, "/a")}).status().code(), Code::kInvalidArgument);
  EXPECT_TRUE(TryMake("c", std::vector(255, one)).ok());
}

}  // namespace
}  // namespace lapse::engine
