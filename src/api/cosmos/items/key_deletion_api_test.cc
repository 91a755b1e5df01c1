// Tests POST .../operations/partitionkeydelete.
#include <gtest/gtest.h>

#include <string>

#include "api/cosmos/batch/batch_fixture.h"
#include "engine/records/erasure/erased_keys.h"
#include "engine/shard/sweep/sweeper.h"

namespace lapse::api::cosmos {
namespace {

constexpr char kPath[] = "/dbs/db/colls/c/operations/partitionkeydelete";

class KeyDeletionApiTest : public BatchFixture {
 protected:
  Answer DeleteKey(const std::string& pk_header, Headers headers = {}) {
    if (!pk_header.empty()) headers["x-ms-documentdb-partitionkey"] = pk_header;
    return Send("POST", kPath, "", std::move(headers));
  }
  // `dbs/<rid>/colls/<rid>/docs/<rid>/`, as in the response.
  static std::string SelfOf(const Answer& answer) {
    const std::string quoted = answer.At("/_self");
    return "/" + quoted.substr(1, quoted.size() - 2);
  }
  std::string Count() { return Send("GET", "/dbs/db/colls/c/docs", "", {{"x-ms-max-item-count", "-1"}}).At("/_count"); }
};

TEST_F(KeyDeletionApiTest, DeletesTheItemsOfTheKeyAndNoOthers) {
  ASSERT_NO_FATAL_FAILURE(MakeItems());
  for (const char* id : {"1", "2", "3"}) {
    ASSERT_EQ(CreateItem(R"({"id":")" + std::string(id) + R"(","pk":"p"})").status, 201);
  }
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"q"})", R"(["q"])").status, 201);
  const std::string rid = ReadItem("1").At("/_rid");
  const Answer deleted = DeleteKey(R"(["p"])");
  EXPECT_EQ(deleted.status, 200);
  EXPECT_EQ(deleted.body, "");
  EXPECT_EQ(deleted.headers.at("x-ms-request-charge"), "5");
  EXPECT_EQ(deleted.headers.at("lsn"), "5");
  EXPECT_EQ(deleted.headers.at("x-ms-session-token"), "0:1#5") << "four creates, and this";
  EXPECT_EQ(ReadItem("1").status, 404);
  EXPECT_EQ(OneItem("DELETE", "2").status, 404);
  EXPECT_EQ(Count(), "1");
  EXPECT_EQ(ReadItem("1", R"(["q"])").status, 200);
  const Answer again = CreateItem(R"({"id":"1","pk":"p"})");
  EXPECT_EQ(again.status, 201) << "the id is free";
  EXPECT_NE(again.At("/_rid"), rid);
  while (engine_->SweepTurn()) continue;
  EXPECT_EQ(ReadItem("1").status, 200);
  EXPECT_EQ(Count(), "2");
}

TEST_F(KeyDeletionApiTest, AKeyWithoutItemsIsFineAndSoAreThoseWithoutAKey) {
  ASSERT_NO_FATAL_FAILURE(MakeItems());
  EXPECT_EQ(DeleteKey(R"(["nobody"])").status, 200);
  ASSERT_EQ(CreateItem(R"({"id":"none"})", "[{}]").status, 201);
  ASSERT_EQ(CreateItem(R"({"id":"null","pk":null})", "[null]").status, 201);
  EXPECT_EQ(DeleteKey("[{}]").status, 200);
  EXPECT_EQ(ReadItem("none", "[{}]").status, 404);
  EXPECT_EQ(ReadItem("null", "[null]").status, 200);
}

TEST_F(KeyDeletionApiTest, AWholeKeyIsNeeded) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  ASSERT_EQ(
      Send("POST", "/dbs/db/colls", R"({"id":"c","partitionKey":{"paths":["/a","/b"],"kind":"MultiHash","version":2}})")
          .status,
      201);
  ASSERT_EQ(CreateItem(R"({"id":"1","a":"x","b":"y"})", R"(["x","y"])").status, 201);
  for (const char* wrong : {R"(["x"])", R"(["x","y","z"])", "[]"}) {
    const Answer refused = DeleteKey(wrong);
    EXPECT_EQ(refused.status, 400) << wrong;
    EXPECT_EQ(refused.headers.at("x-ms-substatus"), "1001") << wrong;
  }
  for (const char* malformed : {"", "x", "{}", R"(["x)", "[[1]]"})
    EXPECT_EQ(DeleteKey(malformed).status, 400) << malformed;
  EXPECT_EQ(Count(), "1");
  EXPECT_EQ(DeleteKey(R"(["x","y"])").status, 200);
  EXPECT_EQ(Count(), "0");
}

TEST_F(KeyDeletionApiTest, WhatIsNotThereAndWhoMayNot) {
  const Headers key = {{"x-ms-documentdb-partitionkey", R"(["p"])"}};
  const Answer nowhere = DeleteKey(R"(["p"])");
  EXPECT_EQ(nowhere.status, 404);
  EXPECT_EQ(nowhere.headers.at("x-ms-substatus"), "1003");
  ASSERT_NO_FATAL_FAILURE(MakeItems());
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p"})").status, 201);
  EXPECT_EQ(SendWithKey(kTestReadOnlyKey, "POST", kPath, "", key).status, 401);
  EXPECT_EQ(SendRaw("POST", kPath, "", key).status, 401);
  for (const char* method : {"GET", "PUT", "DELETE"}) EXPECT_EQ(Send(method, kPath, "", key).status, 405) << method;
  EXPECT_EQ(Send("POST", "/dbs/db/colls/c/operations/other", "", key).status, 404);
  EXPECT_EQ(ReadItem("1").status, 200);
}

TEST_F(KeyDeletionApiTest, MayBeSignedAsAnOperationOnTheKey) {
  ASSERT_NO_FATAL_FAILURE(MakeItems());
  for (const auto& [type, status] : {std::pair{"colls", 200}, {"partitionkey", 200}, {"docs", 401}}) {
    Headers headers = Signed("POST", type, "dbs/db/colls/c");
    headers["x-ms-documentdb-partitionkey"] = R"(["p"])";
    EXPECT_EQ(SendRaw("POST", kPath, "", headers).status, status) << type;
  }
  EXPECT_EQ(SendRaw("GET", "/dbs/db/colls/c", "", Signed("GET", "partitionkey", "dbs/db/colls/c")).status, 401);
}

TEST_F(KeyDeletionApiTest, AContainerMayBeNamedByRid) {
  ASSERT_NO_FATAL_FAILURE(MakeItems());
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p"})").status, 201);
  const std::string path = SelfOf(Send("GET", "/dbs/db/colls/c")) + "operations/partitionkeydelete";
  const Headers key = {{"x-ms-documentdb-partitionkey", R"(["p"])"}};
  EXPECT_EQ(SendWithKey(kTestReadOnlyKey, "POST", path, "", key).status, 401);
  EXPECT_EQ(ReadItem("1").status, 200);
  const Answer deleted = Send("POST", path, "", key);
  EXPECT_EQ(deleted.status, 200);
  EXPECT_EQ(deleted.headers.at("x-ms-alt-content-path"), "dbs/db/colls/c");
  EXPECT_EQ(ReadItem("1").status, 404);
}

TEST_F(KeyDeletionApiTest, AnotherContainerThanTheClientMeansIsLeftAlone) {
  ASSERT_NO_FATAL_FAILURE(MakeItems());
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p"})").status, 201);
  const Answer refused = DeleteKey(R"(["p"])", {{"x-ms-cosmos-intended-collection-rid", "AAAAAYAAAH8="}});
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.headers.at("x-ms-substatus"), "1024");
  EXPECT_EQ(ReadItem("1").status, 200);
}

TEST_F(KeyDeletionApiTest, DeletedItemsAreNotFoundByRid) {
  ASSERT_NO_FATAL_FAILURE(MakeItems());
  const std::string self = SelfOf(CreateItem(R"({"id":"1","pk":"p"})"));
  const Headers key = {{"x-ms-documentdb-partitionkey", R"(["p"])"}};
  ASSERT_EQ(Send("GET", self, "", key).status, 200);
  ASSERT_EQ(DeleteKey(R"(["p"])").status, 200);
  const auto expect_gone = [&] {
    EXPECT_EQ(Send("GET", self, "", key).status, 404);
    EXPECT_EQ(Send("PUT", self, R"({"id":"1","pk":"p","v":2})", key).status, 404);
    EXPECT_EQ(Send("PATCH", self, R"({"operations":[{"op":"set","path":"/v","value":2}]})", key).status, 404);
    EXPECT_EQ(Send("DELETE", self, "", key).status, 404);
  };
  expect_gone();
  const Answer created = CreateItem(R"({"id":"1","pk":"p"})");
  ASSERT_EQ(created.status, 201);
  expect_gone();
  EXPECT_EQ(ReadItem("1").body, created.body) << "the item that has the id now";
  EXPECT_EQ(Send("GET", SelfOf(created), "", key).status, 200);
}

TEST_F(KeyDeletionApiTest, BatchesAndBulkRequestsFindNothingThere) {
  ASSERT_NO_FATAL_FAILURE(MakeItems());
  for (const char* id : {"1", "2", "3"}) {
    ASSERT_EQ(CreateItem(R"({"id":")" + std::string(id) + R"(","pk":"p"})").status, 201);
  }
  ASSERT_EQ(DeleteKey(R"(["p"])").status, 200);
  EXPECT_EQ(Codes(Batch(List({OnId("Read", "1")}))), "404");
  EXPECT_EQ(Codes(Batch(List({Creating("1"), OnId("Read", "1"), OnId("Delete", "2"), Creating("3")}))),
            "424 424 404 424");
  EXPECT_EQ(CountItems(), "0");
  EXPECT_EQ(Codes(Bulk(List({WithKey(OnId("Read", "1")), WithKey(Creating("2")), WithKey(OnId("Delete", "3")),
                             WithKey(OnId("Read", "2"))}))),
            "404 201 404 200");
  EXPECT_EQ(Codes(Batch(List({Creating("1"), OnId("Read", "1"), OnId("Read", "2"), Creating("3")}))),
            "201 200 200 201");
  while (engine_->SweepTurn()) continue;
  EXPECT_EQ(CountItems(), "3");
}

TEST_F(KeyDeletionApiTest, TooManyAreAnswered429) {
  ASSERT_NO_FATAL_FAILURE(MakeItems());
  for (size_t i = 0; i < engine::kErasuresMax; ++i) ASSERT_EQ(DeleteKey("[" + std::to_string(i) + "]").status, 200);
  const Answer refused = DeleteKey(R"(["p"])");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.headers.at("x-ms-retry-after-ms"), "1000");
  while (engine_->SweepTurn()) continue;
  EXPECT_EQ(DeleteKey(R"(["p"])").status, 200);
}

}  // namespace
}  // namespace lapse::api::cosmos
