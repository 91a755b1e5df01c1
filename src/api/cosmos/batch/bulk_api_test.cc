// Tests bulk requests through the API: each operation succeeds or fails alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/cosmos/batch/batch_fixture.h"

namespace lapse::api::cosmos {
namespace {

using ::testing::HasSubstr;

class BulkApiTest : public BatchFixture {};

TEST_F(BulkApiTest, EachStandsForItself) {
  MakeItems();
  Answer answer = Bulk(List({WithKey(Creating("a")), WithKey(Creating("a")), WithKey(OnId("Read", "a")),
                             WithKey(R"({"operationType":"Create","resourceBody":{"id":"b","pk":"q"}})", R"([\"q\"])"),
                             WithKey(R"({"operationType":"Create","resourceBody":{"id":"c","pk":"q"}})"),
                             WithKey(R"({"operationType":"Create","resourceBody":{"id":"d","pk":"p","ttl":0}})"),
                             WithKey(OnId("Delete", "none")), WithKey(OnId("Delete", "a", R"(,"ifMatch":"\"x\"")")),
                             WithKey(R"({"operationType":"Create","resourceBody":{"id":"e"}})", "[{}]"),
                             WithKey(OnId("Read", "a"), R"([\"p\",\"q\"])")}));
  EXPECT_EQ(answer.status, 207);
  EXPECT_EQ(Codes(answer), "201 409 200 201 400/1001 400 404 412 201 400/1001");
  EXPECT_EQ(Of(answer, 2, "/resourceBody"), ReadItem("a").body);
  EXPECT_EQ(answer.headers["x-ms-session-token"], "0:1#3") << "an LSN for each that wrote";
  EXPECT_EQ(ReadItem("b", R"(["q"])").status, 200);
  EXPECT_EQ(ReadItem("e", "[{}]").status, 200);
  EXPECT_EQ(answer.headers["x-ms-request-charge"], "22.5") << "5.2 + 5.2 + 5.1 for creates, 1 for all others";
  EXPECT_EQ(Bulk(List({WithKey(Creating("f"))})).status, 200);
}

TEST_F(BulkApiTest, ItMayEndAtTheFirstError) {
  MakeItems();
  Headers headers = BulkHeaders();
  headers["x-ms-cosmos-batch-continue-on-error"] = "False";
  Answer answer = Bulk(
      List({WithKey(Creating("a")), WithKey(Creating("b")), WithKey(Creating("a")), WithKey(Creating("c"))}), headers);
  EXPECT_EQ(answer.status, 207);
  EXPECT_EQ(Codes(answer), "201 201 409 424");
  EXPECT_EQ(Of(answer, 3, "/requestCharge"), "0");
  EXPECT_EQ(CountItems(), "2") << "what came before stays";
  EXPECT_EQ(Codes(Bulk(List({WithKey(Creating("d")), WithKey(Creating("e", R"(,"ttl":0)")), WithKey(Creating("f"))}),
                       headers)),
            "201 400 424");
  std::vector<std::string> hundred;
  for (int i = 0; i < 100; ++i) hundred.push_back(WithKey(Creating(std::to_string(i))));
  EXPECT_EQ(Bulk(List(hundred), headers).status, 200);
}

TEST_F(BulkApiTest, EachIsLetInByItself) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  ASSERT_EQ(Send("POST", "/dbs/db/colls", R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}})",
                 {{"x-ms-offer-throughput", "400"}})
                .status,
            201);
  std::vector<std::string> hundred;
  for (int i = 0; i < 100; ++i) hundred.push_back(WithKey(Creating(std::to_string(i))));
  Answer answer = Bulk(List(hundred));
  EXPECT_EQ(answer.status, 207);
  // 400 RU pay for 77 operations of 5.2 RU each.
  EXPECT_EQ(Of(answer, 76, "/statusCode"), "201");
  EXPECT_EQ(Of(answer, 77, "/statusCode"), "429");
  EXPECT_EQ(Of(answer, 77, "/subStatusCode"), "3200");
  EXPECT_NE(Of(answer, 77, "/retryAfterMilliseconds"), "");
  EXPECT_EQ(Of(answer, 77, "/requestCharge"), "0");
  EXPECT_EQ(answer.headers["x-ms-request-charge"], "400.4");
  Answer none = Bulk(List({WithKey(Creating("x")), WithKey(Creating("y"))}));
  EXPECT_EQ(none.status, 429) << "nothing is let in: the whole request is to be repeated";
  EXPECT_NE(none.headers["x-ms-retry-after-ms"], "");
  PassSeconds(2);
  EXPECT_EQ(CountItems(), "77");
}

TEST_F(BulkApiTest, WhatIsWrongByItselfIsPaidFor) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  ASSERT_EQ(Send("POST", "/dbs/db/colls", R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}})",
                 {{"x-ms-offer-throughput", "400"}})
                .status,
            201);
  const std::vector<std::string> wrong(100, WithKey(Creating("a", R"(,"ttl":0)")));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(Bulk(List(wrong)).headers["x-ms-request-charge"], "100");
  EXPECT_EQ(Bulk(List(wrong)).status, 429) << "the 400 RU of the second are used up";
}

TEST_F(BulkApiTest, ARequestThatIsWrongAsAWholeDoesNothing) {
  MakeItems();
  const std::string good = WithKey(Creating("a"));
  EXPECT_THAT(Bulk(List({good, Creating("b")})).Message(), HasSubstr("operation 2: it needs a 'partitionKey'"));
  std::vector<std::string> many(101, good);
  EXPECT_EQ(Bulk(List(many)).status, 400);
  EXPECT_EQ(Bulk("[]").status, 400);
  Headers unknown = BulkHeaders();
  unknown["x-ms-documentdb-partitionkeyrangeid"] = "7";
  Answer gone = Bulk(List({good}), unknown);
  EXPECT_EQ(gone.status, 410);
  EXPECT_EQ(gone.headers["x-ms-substatus"], "1002");
  unknown["x-ms-documentdb-partitionkeyrangeid"] = "x";
  EXPECT_EQ(Bulk(List({good}), unknown).status, 400);
  // A key in the request applies to each operation.
  Headers keyed = BulkHeaders();
  keyed["x-ms-documentdb-partitionkey"] = R"(["p"])";
  EXPECT_EQ(Bulk(List({good, WithKey(OnId("Read", "b"), R"([\"q\"])")}), keyed).status, 400);
  EXPECT_EQ(CountItems(), "0");
  EXPECT_EQ(Bulk(List({good}), keyed).status, 200);
}

TEST_F(BulkApiTest, KeysOfAnotherRangeSendTheClientBack) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  ASSERT_EQ(Send("POST", "/dbs/db/colls", R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}})",
                 {{"x-ms-offer-throughput", "20000"}})
                .status,
            201);
  const std::string good = WithKey(Creating("a"));
  Headers other = BulkHeaders();
  other["x-ms-documentdb-partitionkeyrangeid"] = "1";
  const int first = Bulk(List({good})).status, second = Bulk(List({good}), other).status;
  EXPECT_EQ(first + second, 200 + 410) << first << " " << second;
  // The same by effective keys.
  const Answer ranges = Send("GET", "/dbs/db/colls/c/pkranges");
  int taken = 0;
  for (int i = 0; i < 4; ++i) {
    const std::string range = "/PartitionKeyRanges/" + std::to_string(i);
    auto bound = [&](const std::string& name) {
      const std::string quoted = ranges.At(range + name);
      return quoted.substr(1, quoted.size() - 2);
    };
    Headers keys = BulkHeaders();
    keys.erase("x-ms-documentdb-partitionkeyrangeid");
    keys["x-ms-start-epk"] = bound("/minInclusive");
    keys["x-ms-end-epk"] = bound("/maxExclusive");
    const std::vector<std::string> before = Contents();
    Answer answer = Bulk(List({WithKey(Creating("b"))}), keys);
    if (answer.status == 200) {
      ++taken;
      continue;
    }
    EXPECT_EQ(answer.status, 410) << answer.body;
    EXPECT_EQ(answer.headers["x-ms-substatus"], "1002");
    EXPECT_EQ(Contents(), before);
  }
  EXPECT_EQ(taken, 1);
}

TEST_F(BulkApiTest, TheAnswerIsBounded) {
  MakeItems();
  const std::string large = R"(,"s":")" + std::string(1'500'000, 'x') + "\"";
  for (const char* id : {"1", "2", "3"}) {
    ASSERT_EQ(CreateItem(R"({"id":")" + std::string(id) + R"(","pk":"p")" + large + "}").status, 201);
  }
  std::vector<std::string> operations;
  for (const char* id : {"1", "2", "3"}) operations.push_back(WithKey(OnId("Read", id)));
  operations.push_back(WithKey(OnId("Patch", "3", R"(,"resourceBody":[{"op":"set","path":"/n","value":1}])")));
  Answer answer = Bulk(List(operations));
  EXPECT_EQ(Codes(answer), "200 200 413/3402 200");
  EXPECT_EQ(Of(answer, 3, "/resourceBody"), "") << "the write stands";
  EXPECT_NE(Of(answer, 3, "/eTag"), "");
  EXPECT_EQ(ReadItem("3").At("/n"), "1");
  EXPECT_LT(answer.body.size(), size_t{4} << 20);
}

TEST_F(BulkApiTest, UniqueKeysHold) {
  MakeItems(R"("defaultTtl":-1,"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/email"]}]})");
  const auto creating = [](const std::string& id) { return WithKey(Creating(id, R"(,"email":"x","ttl":10)")); };
  EXPECT_EQ(Codes(Bulk(List({creating("a"), creating("b"), WithKey(OnId("Delete", "a")), creating("c")}))),
            "201 409 204 201");
  PassSeconds(9);
  EXPECT_EQ(Codes(Bulk(List({creating("d")}))), "409");
  PassSeconds(1);
  EXPECT_EQ(Codes(Bulk(List({creating("d"), creating("e")}))), "201 409");
}

}  // namespace
}  // namespace lapse::api::cosmos
