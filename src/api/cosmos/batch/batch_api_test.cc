// Tests transactional batches through the API.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "api/cosmos/batch/batch_fixture.h"

namespace lapse::api::cosmos {
namespace {

using ::testing::HasSubstr;

class BatchApiTest : public BatchFixture {
 protected:
  // Expects that a batch which is invalid as a whole gets an ordinary error and has no effect. Returns the error's
  // text.
  std::string Refusal(const std::string& body, int status = 400, Headers headers = AtomicHeaders()) {
    const std::vector<std::string> before = Contents();
    Answer answer = Batch(body, std::move(headers));
    EXPECT_EQ(answer.status, status) << body.substr(0, 200) << answer.body;
    EXPECT_NE(answer.At("/code"), "") << answer.body;
    EXPECT_EQ(Contents(), before) << body.substr(0, 200);
    return answer.Message();
  }
  // Runs a batch of a create and this operation, which fails by itself. Returns the statuses.
  std::string FailureOf(const std::string& operation) {
    const std::vector<std::string> before = Contents();
    Answer answer = Batch(List({Creating("new"), operation, OnId("Read", "1")}));
    EXPECT_EQ(answer.status, 207) << operation << answer.body;
    EXPECT_EQ(Contents(), before) << operation;
    return Codes(answer);
  }
};

TEST_F(BatchApiTest, EveryOperationSeesThoseBeforeIt) {
  MakeItems();
  const std::string etag = CreateItem(R"({"id":"old","pk":"p"})").headers["etag"];
  Answer answer = Batch(List({
      Creating("a", R"(,"n":1)"),
      OnId("Read", "a"),
      OnId("Replace", "a", R"(,"resourceBody":{"id":"a","pk":"p","n":2})"),
      OnId("Patch", "a", R"(,"resourceBody":{"operations":[{"op":"incr","path":"/n","value":5}]})"),
      OnId("Patch", "a", R"(,"resourceBody":[{"op":"incr","path":"/n","value":1}])"),
      R"({"operationType":"Upsert","resourceBody":{"id":"b","pk":"p"}})",
      R"({"operationType":"Upsert","resourceBody":{"id":"b","pk":"p","n":1}})",
      OnId("Delete", "old", R"(,"ifMatch":"\)" + etag.substr(0, etag.size() - 1) + R"(\"")"),
      OnId("Read", "b", R"(,"resourceBody":{},"unknown":[1])"),
  }));
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(Codes(answer), "201 200 200 200 200 201 200 204 200");
  EXPECT_EQ(Of(answer, 1, "/resourceBody/n"), "1");
  EXPECT_EQ(Of(answer, 4, "/resourceBody/n"), "8");
  EXPECT_EQ(Of(answer, 8, "/resourceBody/n"), "1");
  EXPECT_EQ(Of(answer, 7, "/resourceBody") + Of(answer, 7, "/eTag"), "");
  EXPECT_EQ(Of(answer, 0, "/eTag"), Of(answer, 0, "/resourceBody/_etag"));
  EXPECT_EQ(Of(answer, 0, "/eTag"), Of(answer, 1, "/eTag"));
  EXPECT_EQ(Of(answer, 4, "/resourceBody"), ReadItem("a").body);
  EXPECT_EQ(ReadItem("old").status, 404);
  EXPECT_EQ(answer.headers["x-ms-session-token"], "0:1#2") << "one LSN for all";
  EXPECT_EQ(answer.headers["content-type"], "application/json");
  EXPECT_NE(answer.headers["x-ms-content-path"], "");
  EXPECT_EQ(Batch(List({OnId("Read", "a")})).headers["x-ms-session-token"], "0:1#2") << "nothing was written";
}

TEST_F(BatchApiTest, TheFirstFailureEndsItAndNothingIsDone) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p","s":"x"})").status, 201);
  EXPECT_EQ(FailureOf(Creating("1")), "424 409 424");
  EXPECT_EQ(FailureOf(OnId("Read", "none")), "424 404 424");
  EXPECT_EQ(FailureOf(OnId("Delete", "none")), "424 404 424");
  EXPECT_EQ(FailureOf(OnId("Replace", "none", R"(,"resourceBody":{"id":"none","pk":"p"})")), "424 404 424");
  EXPECT_EQ(FailureOf(OnId("Patch", "none", R"(,"resourceBody":[{"op":"set","path":"/n","value":1}])")), "424 404 424");
  EXPECT_EQ(FailureOf(OnId("Patch", "1", R"(,"resourceBody":[{"op":"incr","path":"/s","value":1}])")), "424 400 424");
  EXPECT_EQ(FailureOf(OnId("Delete", "1", R"(,"ifMatch":"\"other\"")")), "424 412 424");
  EXPECT_EQ(FailureOf(R"({"operationType":"Upsert","resourceBody":{"id":"1","pk":"p"},"ifMatch":"\"o\""})"),
            "424 412 424");
  // An operation that is invalid by itself waits for its turn, too.
  EXPECT_EQ(FailureOf(R"({"operationType":"Create","resourceBody":{"id":"2","pk":"q"}})"), "424 400/1001 424");
  EXPECT_EQ(FailureOf(R"({"operationType":"Create","resourceBody":{"id":"2"}})"), "424 400/1001 424");
  EXPECT_EQ(FailureOf(R"({"operationType":"Create","resourceBody":{"pk":"p"}})"), "424 400 424");
  EXPECT_EQ(FailureOf(R"({"operationType":"Create","resourceBody":{"id":5,"pk":"p"}})"), "424 400 424");
  EXPECT_EQ(FailureOf(R"({"operationType":"Create","resourceBody":{"id":"2","pk":"p","ttl":0}})"), "424 400 424");
  EXPECT_EQ(FailureOf(OnId("Replace", "1", R"(,"resourceBody":{"id":"2","pk":"p"})")), "424 400 424");
  EXPECT_EQ(FailureOf(OnId("Patch", "1", R"(,"resourceBody":[])")), "424 400 424");
  EXPECT_EQ(FailureOf(OnId("Patch", "1", R"(,"resourceBody":{"operations":5})")), "424 400 424");
  EXPECT_EQ(FailureOf(OnId("Delete", "1", R"(,"ifMatch":"\"a\"","ifNoneMatch":"\"b\"")")), "424 400 424");
  EXPECT_EQ(FailureOf(OnId("Read", "a/b")), "424 400 424");
  EXPECT_EQ(FailureOf(OnId("Read", std::string(1024, 'x'))), "424 400 424");
  Answer answer = Batch(List({Creating("1"), R"({"operationType":"Create","resourceBody":{"id":"2","pk":"q"}})"}));
  EXPECT_EQ(Codes(answer), "409 424") << "the first in the order of the list";
  EXPECT_EQ(Of(answer, 0, "/message"), R"("Resource with specified id, name, or unique index already exists.")");
  EXPECT_EQ(answer.headers["x-ms-session-token"], "0:1#1");
  EXPECT_EQ(CountItems(), "1");
}

TEST_F(BatchApiTest, EveryFieldOfTheBodyIsChecked) {
  MakeItems();
  const std::string good = Creating("a");
  for (const std::string& body : {std::string(),
                                  std::string("{}"),
                                  std::string("[5]"),
                                  std::string("[null]"),
                                  std::string("[[]]"),
                                  std::string("[{}]"),
                                  "[" + good,
                                  "[" + good + "]x",
                                  "[" + good + ",]",
                                  std::string("5"),
                                  std::string("\x80"),
                                  std::string(R"([{"operationType":"Create"}])"),
                                  std::string(R"([{"operationType":"create","id":"1"}])"),
                                  std::string(R"([{"operationType":5}])"),
                                  std::string(R"([{"operationType":"Query"}])"),
                                  std::string(R"([{"operationType":"Create","resourceBody":5}])"),
                                  std::string(R"([{"operationType":"Create","resourceBody":"{}"}])"),
                                  std::string(R"([{"operationType":"Create","resourceBody":null}])"),
                                  std::string(R"([{"operationType":"Create","resourceBody":[]}])"),
                                  List({OnId("Patch", "1")}),
                                  List({OnId("Patch", "1", R"(,"resourceBody":"x")")}),
                                  List({OnId("Replace", "1")}),
                                  List({R"({"operationType":"Read"})"}),
                                  List({R"({"operationType":"Read","id":5})"}),
                                  List({OnId("Read", "")}),
                                  List({OnId("Read", "1", R"(,"ifMatch":5)")}),
                                  List({OnId("Read", "1", R"(,"ifNoneMatch":{})")}),
                                  List({OnId("Read", "1", R"(,"partitionKey":["p"])")}),
                                  List({OnId("Read", "1", R"(,"partitionKey":5)")}),
                                  List({OnId("Read", "1", R"(,"minimalReturnPreference":"x")")}),
                                  std::string(R"([{"operationType":"Read","operationType":"Read","id":"1"}])")}) {
    Refusal(body);
    if (body.size() > 2) Refusal("[" + good + "," + body.substr(1));
  }
  EXPECT_THAT(Refusal(List({good, OnId("Read", "1", R"(,"ifMatch":5)")})), HasSubstr("operation 2: 'ifMatch'"));
  EXPECT_EQ(Refusal("[]"), R"("Batch request has no operations.")");
  const std::string null_is_absent = OnId("Read", "a", R"(,"ifMatch":null,"ifNoneMatch":null,"partitionKey":null)");
  EXPECT_EQ(Codes(Batch(List({good, null_is_absent}))), "201 200");
}

TEST_F(BatchApiTest, ItIsBounded) {
  MakeItems();
  std::vector<std::string> hundred;
  for (int i = 0; i < 100; ++i) hundred.push_back(Creating(std::to_string(i)));
  std::vector<std::string> more = hundred;
  more.push_back(OnId("Read", "1"));
  EXPECT_EQ(Refusal(List(more)), R"("Batch request has more operations than what is supported.")");
  EXPECT_EQ(Batch(List(hundred)).status, 200);
  EXPECT_EQ(CountItems(), "100");

  const auto sized = [](size_t bytes) {
    std::string body = List({Creating("large", R"(,"s":"")")});
    return body.insert(body.size() - 4, bytes - body.size(), 'x');
  };
  constexpr size_t kBody = 2'202'010;
  EXPECT_THAT(Refusal(sized(kBody + 1), 413), HasSubstr("Request size is too large"));
  EXPECT_EQ(Codes(Batch(sized(kBody))), "413") << "of an item, 2 MB are the limit";
  EXPECT_EQ(Codes(Batch(sized(2'000'000))), "201");
  std::string deep = std::string(127, '[') + std::string(127, ']');
  EXPECT_EQ(Codes(Batch(List({Creating("deep", R"(,"d":)" + deep)}))), "201");
  Refusal(List({Creating("deeper", R"(,"d":[)" + deep + "]")}));
}

TEST_F(BatchApiTest, TheAnswerIsBoundedWhileItCanBeTakenBack) {
  MakeItems();
  const std::string megabyte = R"(,"s":")" + std::string(1 << 20, 'x') + "\"";
  for (const char* id : {"1", "2", "3", "4"}) {
    ASSERT_EQ(CreateItem(R"({"id":")" + std::string(id) + R"(","pk":"p")" + megabyte + "}").status, 201);
  }
  const std::vector<std::string> before = Contents();
  Answer answer = Batch(List({Creating("new"), OnId("Read", "1"), OnId("Read", "2"), OnId("Read", "3"),
                              OnId("Read", "4"), OnId("Read", "none")}));
  EXPECT_EQ(answer.status, 207);
  EXPECT_EQ(Codes(answer), "424 424 424 424 413/3402 424");
  EXPECT_EQ(Contents(), before);
  EXPECT_EQ(Codes(Batch(List({Creating("new"), OnId("Read", "1"), OnId("Read", "2"), OnId("Read", "3")}))),
            "201 200 200 200");
  // Items that are not returned do not count.
  Headers minimal = AtomicHeaders();
  minimal["prefer"] = "return=minimal";
  std::vector<std::string> patches;
  for (const char* id : {"1", "2", "3", "4"}) {
    patches.push_back(OnId("Patch", id, R"(,"resourceBody":[{"op":"set","path":"/n","value":1}])"));
  }
  EXPECT_EQ(Codes(Batch(List(patches))), "424 424 424 413/3402");
  EXPECT_EQ(Codes(Batch(List(patches), minimal)), "200 200 200 200");
}

TEST_F(BatchApiTest, WhatItWritesIsBounded) {
  MakeItems();
  const std::string item = R"(,"s":")" + std::string(1'900'000, 'x') + "\"";
  std::vector<std::string> patches;
  for (int i = 0; i < 9; ++i) {
    ASSERT_EQ(CreateItem(R"({"id":")" + std::to_string(i) + R"(","pk":"p")" + item + "}").status, 201);
    patches.push_back(OnId("Patch", std::to_string(i), R"(,"resourceBody":[{"op":"set","path":"/n","value":1}])"));
  }
  Headers minimal = AtomicHeaders();
  minimal["prefer"] = "return=minimal";
  EXPECT_EQ(Codes(Batch(List(patches), minimal)), "424 424 424 424 424 424 424 424 413");
  EXPECT_EQ(ReadItem("0").At("/n"), "");
}

TEST_F(BatchApiTest, TheWorkOfItsConditionsIsBoundedTogether) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p","s":")" + std::string(10'000, 'a') + "\"}").status, 201);
  const std::string patch = OnId("Patch", "1",
                                 R"x(,"resourceBody":{"condition":"from c where not RegexMatch(c.s, '[ab]{20}c')",)x"
                                 R"("operations":[{"op":"incr","path":"/n","value":1}]})");
  EXPECT_EQ(Batch(List(std::vector<std::string>(10, patch))).status, 200);
  Answer refused = Batch(List(std::vector<std::string>(100, patch)));
  EXPECT_EQ(refused.status, 207);
  EXPECT_THAT(Codes(refused), HasSubstr(" 413 424"));
  EXPECT_THAT(refused.body, HasSubstr("more work than it may"));
  EXPECT_EQ(ReadItem("1").At("/n"), "10");
}

TEST_F(BatchApiTest, AnExpiredMemberIsAbsent) {
  MakeItems(R"("defaultTtl":-1)");
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p","ttl":5})").status, 201);
  EXPECT_EQ(Codes(Batch(List({OnId("Read", "1")}))), "200");
  PassSeconds(5);
  EXPECT_EQ(Codes(Batch(List({Creating("a"), OnId("Read", "1")}))), "424 404");
  EXPECT_EQ(Codes(Batch(List({Creating("a"), OnId("Delete", "1")}))), "424 404");
  EXPECT_EQ(Codes(Batch(List({Creating("a"), OnId("Replace", "1", R"(,"resourceBody":{"id":"1","pk":"p"})")}))),
            "424 404");
  EXPECT_EQ(Codes(Batch(List({Creating("1"), OnId("Read", "1")}))), "201 200");
}

TEST_F(BatchApiTest, AReadOfWhatTheClientHasUndoesNothing) {
  MakeItems();
  const std::string etag = CreateItem(R"({"id":"1","pk":"p"})").headers["etag"];
  const std::string quoted = R"("\)" + etag.substr(0, etag.size() - 1) + R"(\"")";
  for (const char* member : {"ifMatch", "ifNoneMatch"}) {
    Answer answer = Batch(List({R"({"operationType":"Upsert","resourceBody":{"id":"2","pk":"p"}})",
                                OnId("Read", "1", ",\"" + std::string(member) + "\":" + quoted)}));
    EXPECT_EQ(answer.status, 207);
    EXPECT_THAT(Codes(answer), HasSubstr(" 304"));
    EXPECT_EQ(Of(answer, 1, "/resourceBody"), "");
    EXPECT_EQ(Of(answer, 1, "/eTag"), quoted);
    EXPECT_EQ(Of(answer, 1, "/requestCharge"), "1");
    EXPECT_EQ(ReadItem("2").status, 200);
    EXPECT_EQ(Codes(Batch(List({OnId("Read", "1", ",\"" + std::string(member) + R"(":"\"other\"")")}))), "200");
  }
  EXPECT_EQ(Codes(Batch(List({OnId("Read", "1", R"(,"ifNoneMatch":"*")")}))), "304");
  EXPECT_EQ(Codes(Batch(List({OnId("Read", "none", R"(,"ifNoneMatch":"*")")}))), "404");
}

TEST_F(BatchApiTest, ChargesAddUp) {
  MakeItems();
  const std::string create_charge = CreateItem(R"({"id":"0","pk":"p"})").headers["x-ms-request-charge"];
  Answer done = Batch(List({Creating("1"), OnId("Read", "1"), OnId("Delete", "1")}));
  EXPECT_EQ(create_charge, "5.2");
  EXPECT_EQ(Of(done, 0, "/requestCharge"), "5.2");
  EXPECT_EQ(Of(done, 1, "/requestCharge"), "1");
  EXPECT_EQ(Of(done, 2, "/requestCharge"), "5");
  EXPECT_EQ(done.headers["x-ms-request-charge"], "11.2");
  Answer failed = Batch(List({Creating("1"), Creating("1"), Creating("2")}));
  EXPECT_EQ(Of(failed, 0, "/requestCharge"), "5.2") << "its work was done";
  EXPECT_EQ(Of(failed, 1, "/requestCharge"), "1");
  EXPECT_EQ(Of(failed, 2, "/requestCharge"), "0");
  EXPECT_EQ(failed.headers["x-ms-request-charge"], "6.2");
}

TEST_F(BatchApiTest, ABatchIsLetInAsOneRequest) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  ASSERT_EQ(Send("POST", "/dbs/db/colls", R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}})",
                 {{"x-ms-offer-throughput", "400"}})
                .status,
            201);
  std::vector<std::string> hundred;
  for (int i = 0; i < 100; ++i) hundred.push_back(Creating(std::to_string(i)));
  EXPECT_EQ(Batch(List(hundred)).status, 200);
  Answer throttled = Batch(List({OnId("Read", "1")}));
  EXPECT_EQ(throttled.status, 429);
  EXPECT_EQ(throttled.headers["x-ms-substatus"], "3200");
  EXPECT_EQ(throttled.headers["x-ms-request-charge"], "0");
  EXPECT_NE(throttled.headers["x-ms-retry-after-ms"], "");
  PassSeconds(2);
  EXPECT_EQ(Batch(List({OnId("Read", "1")})).status, 200);
}

TEST_F(BatchApiTest, ASlipInTheFlagIsNoBulk) {
  MakeItems();
  Headers headers = AtomicHeaders(R"(["p"])");
  headers["x-ms-cosmos-batch-atomic"] = "ture";
  Refusal(List({WithKey(Creating("1"))}), 400, headers);
}

TEST_F(BatchApiTest, TheKeyIsTheRequests) {
  MakeItems();
  const std::string other = WithKey(Creating("1"), R"([\"q\"])");
  EXPECT_THAT(Refusal(List({Creating("0"), other})), HasSubstr("have a different partition key value"));
  Refusal(List({WithKey(Creating("1"), "x")}));
  Refusal(List({Creating("1")}), 400, AtomicHeaders(""));
  Refusal(List({Creating("1")}), 400, AtomicHeaders("[]"));
  Refusal(List({Creating("1")}), 400, AtomicHeaders(R"(["p","q"])"));
  EXPECT_EQ(Codes(Batch(List({WithKey(Creating("1"), R"([ \"p\" ])")}))), "201");
  EXPECT_EQ(Codes(Batch(List({OnId("Read", "1")}), AtomicHeaders(R"(["q"])"))), "404");
}

TEST_F(BatchApiTest, ARangeBesideTheKeyMustHoldIt) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  ASSERT_EQ(Send("POST", "/dbs/db/colls", R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}})",
                 {{"x-ms-offer-throughput", "20000"}})
                .status,
            201);
  const std::string body = List({R"({"operationType":"Upsert","resourceBody":{"id":"a","pk":"p"}})"});
  const Answer ranges = Send("GET", "/dbs/db/colls/c/pkranges");
  int taken = 0, gone = 0;
  for (int i = 0; i < 4; ++i) {
    const std::string range = "/PartitionKeyRanges/" + std::to_string(i);
    auto text = [&](const std::string& name) {
      const std::string quoted = ranges.At(range + name);
      return quoted.substr(1, quoted.size() - 2);
    };
    Headers by_id = AtomicHeaders(), by_keys = AtomicHeaders();
    by_id["x-ms-documentdb-partitionkeyrangeid"] = text("/id");
    by_keys["x-ms-start-epk"] = text("/minInclusive");
    by_keys["x-ms-end-epk"] = text("/maxExclusive");
    const std::vector<std::string> before = Contents();
    const Answer first = Batch(body, by_id), second = Batch(body, by_keys);
    EXPECT_EQ(first.status, second.status) << i;
    if (first.status == 200) {
      ++taken;
      continue;
    }
    ++gone;
    for (Answer answer : {first, second}) {
      EXPECT_EQ(answer.status, 410) << answer.body;
      EXPECT_EQ(answer.headers["x-ms-substatus"], "1002");
    }
    EXPECT_EQ(Contents(), before);
  }
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(gone, 3);
  for (const auto& [range, status] : std::vector<std::pair<std::string, int>>{{"9", 410}, {"x", 400}}) {
    Headers wrong = AtomicHeaders();
    wrong["x-ms-documentdb-partitionkeyrangeid"] = range;
    Refusal(body, status, wrong);
  }
}

TEST_F(BatchApiTest, AnIndexingDirectiveBesideItHoldsForItsOperations) {
  MakeItems();
  Headers headers = AtomicHeaders();
  headers["x-ms-indexing-directive"] = "Exlude";
  Refusal(List({Creating("a")}), 400, headers);
  headers = BulkHeaders();
  headers["x-ms-indexing-directive"] = "Exlude";
  Refusal(List({WithKey(Creating("a"))}), 400, headers);
  EXPECT_EQ(CountItems(), "0");

  headers["x-ms-indexing-directive"] = "Exclude";
  EXPECT_EQ(Codes(Bulk(List({WithKey(Creating("a", R"(,"n":1)"))}), headers)), "201");
  EXPECT_EQ(Codes(Batch(List({Creating("b", R"(,"n":1)")}))), "201");
  // An item that is left out of the index is still found.
  const Headers query = {{"x-ms-documentdb-isquery", "True"},
                         {"content-type", "application/query+json"},
                         {"x-ms-documentdb-partitionkey", R"(["p"])"},
                         {"x-ms-documentdb-populatequerymetrics", "True"}};
  const Answer found = Send("POST", "/dbs/db/colls/c/docs", R"({"query":"SELECT c.id FROM c WHERE c.n = 1"})", query);
  EXPECT_EQ(found.At("/_count"), "2") << found.body;
}

TEST_F(BatchApiTest, SessionsCountForReads) {
  MakeItems();
  Headers ahead = AtomicHeaders();
  ahead["x-ms-session-token"] = "0:1#9";
  EXPECT_EQ(Batch(List({Creating("1")}), ahead).status, 200);
  Answer early = Batch(List({Creating("2"), OnId("Read", "1")}), ahead);
  EXPECT_EQ(early.status, 404);
  EXPECT_EQ(early.headers["x-ms-substatus"], "1002");
  EXPECT_EQ(CountItems(), "1");
}

TEST_F(BatchApiTest, MinimalAnswers) {
  MakeItems();
  Headers minimal = AtomicHeaders();
  minimal["prefer"] = "return=minimal";
  Answer answer = Batch(List({Creating("1"), OnId("Read", "1")}), minimal);
  EXPECT_EQ(Of(answer, 0, "/resourceBody"), "");
  EXPECT_NE(Of(answer, 0, "/eTag"), "");
  EXPECT_NE(Of(answer, 1, "/resourceBody"), "");
  std::string one = Creating("2");
  one.pop_back();
  answer = Batch(List({one + R"(,"minimalReturnPreference":true})", Creating("3")}));
  EXPECT_EQ(Of(answer, 0, "/resourceBody"), "");
  EXPECT_NE(Of(answer, 1, "/resourceBody"), "");
}

TEST_F(BatchApiTest, WhoMay) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p"})").status, 201);
  const std::string path = "/dbs/db/colls/c/docs";
  const std::string reads = List({OnId("Read", "1")}), writes = List({OnId("Read", "1"), Creating("2")});
  EXPECT_EQ(SendWithKey(kTestReadOnlyKey, "POST", path, reads, AtomicHeaders()).status, 200);
  EXPECT_EQ(SendWithKey(kTestReadOnlyKey, "POST", path, writes, AtomicHeaders()).status, 401);
  EXPECT_EQ(SendWithKey(kTestReadOnlyKey, "POST", path, List({WithKey(Creating("2"))}), BulkHeaders()).status, 401);
  // Additional headers that contradict it do not turn the batch into a read.
  Headers disguised = AtomicHeaders();
  disguised["x-ms-documentdb-isquery"] = "True";
  EXPECT_EQ(SendWithKey(kTestReadOnlyKey, "POST", path, writes, disguised).status, 401);
  EXPECT_EQ(CountItems(), "1");
  EXPECT_EQ(Send("POST", "/dbs/db/colls/none/docs", reads, AtomicHeaders()).headers["x-ms-substatus"], "1003");
  Headers trigger = AtomicHeaders();
  trigger["x-ms-documentdb-pre-trigger-include"] = "t";
  EXPECT_EQ(Batch(writes, trigger).status, 400);
  EXPECT_EQ(CountItems(), "1");
}

constexpr char kUniqueEmail[] = R"("defaultTtl":-1,"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/email"]}]})";

TEST_F(BatchApiTest, UniqueKeysHoldBetweenItsOperations) {
  MakeItems(kUniqueEmail);
  const std::vector<std::string> before = Contents();
  const std::string first = Creating("a", R"(,"email":"x")"), second = Creating("b", R"(,"email":"x")");
  Answer answer = Batch(List({first, second, OnId("Read", "a")}));
  EXPECT_EQ(Codes(answer), "424 409 424");
  EXPECT_THAT(Of(answer, 1, "/message"), HasSubstr("unique index"));
  EXPECT_EQ(Contents(), before);
  // A name that an earlier operation gives up is free for a later one.
  EXPECT_EQ(Codes(Batch(List({first, OnId("Delete", "a"), second}))), "201 204 201");
  EXPECT_EQ(Codes(Batch(List({OnId("Patch", "b", R"(,"resourceBody":[{"op":"set","path":"/email","value":"y"}])"),
                              first, OnId("Replace", "b", R"(,"resourceBody":{"id":"b","pk":"p","email":"x"})")}))),
            "424 424 409");
  EXPECT_EQ(
      Codes(Batch(List({OnId("Patch", "b", R"(,"resourceBody":[{"op":"set","path":"/email","value":"y"}])"), first}))),
      "200 201");
}

TEST_F(BatchApiTest, TheUniqueKeyOfAnExpiredItemIsFreeFromTheVerySecond) {
  MakeItems(kUniqueEmail);
  ASSERT_EQ(CreateItem(R"({"id":"holder","pk":"p","email":"x","ttl":10})").status, 201);
  const std::string batch = List({Creating("other"), Creating("new", R"(,"email":"x")")});
  PassSeconds(9);
  EXPECT_EQ(Codes(Batch(batch)), "424 409");
  PassSeconds(1);
  EXPECT_EQ(Codes(Batch(batch)), "201 201");
  EXPECT_EQ(ReadItem("holder").status, 404);
}

}  // namespace
}  // namespace lapse::api::cosmos
