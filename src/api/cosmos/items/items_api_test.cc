// Tests items through the API: point operations, feeds, preconditions, sessions and expiry.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "api/cosmos/api_fixture.h"
#include "engine/catalog/containers/index_page.h"

namespace lapse::api::cosmos {
namespace {

class ItemsApiTest : public ApiFixture {
 protected:
  // Returns all ids of a feed, page by page.
  std::multiset<std::string> ReadAll(Headers headers, int* pages = nullptr) {
    std::multiset<std::string> ids;
    for (int page = 1; page < 100; ++page) {
      Answer answer = Send("GET", "/dbs/db/colls/c/docs", "", headers);
      EXPECT_EQ(answer.status, 200) << answer.body;
      int count = std::stoi(answer.headers["x-ms-item-count"]);
      for (int i = 0; i < count; ++i) ids.insert(answer.At("/Documents/" + std::to_string(i) + "/id"));
      if (pages != nullptr) *pages = page;
      if (!answer.headers.contains("x-ms-continuation")) return ids;
      headers["x-ms-continuation"] = answer.headers["x-ms-continuation"];
    }
    ADD_FAILURE() << "no end";
    return ids;
  }
};

TEST_F(ItemsApiTest, CreateAndRead) {
  MakeItems();
  Answer made = CreateItem(R"({"id":"1","pk":"p","n":5,"_ts":1,"_etag":"mine"})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.body,
            R"({"id":"1","pk":"p","n":5,"_rid":"AAAAAYAAAAEBAAAAAAAAAA==",)"
            R"("_self":"dbs/AAAAAQ==/colls/AAAAAYAAAAE=/docs/AAAAAYAAAAEBAAAAAAAAAA==/",)"
            R"("_etag":"\"10000000-684e-e180-0000-000000000001\"","_attachments":"attachments/","_ts":1750000000})");
  EXPECT_EQ(made.headers["etag"], R"("10000000-684e-e180-0000-000000000001")");
  EXPECT_EQ(made.headers["x-ms-session-token"], "0:1#1");
  EXPECT_EQ(made.headers["x-ms-alt-content-path"], "dbs/db/colls/c");
  EXPECT_EQ(made.headers["x-ms-content-path"], "AAAAAYAAAAE=");
  EXPECT_EQ(made.headers["x-ms-request-charge"], "5.3");
  Answer read = ReadItem("1");
  EXPECT_EQ(read.status, 200);
  EXPECT_EQ(read.body, made.body);
  EXPECT_EQ(read.headers["etag"], made.headers["etag"]);
  EXPECT_EQ(read.headers["x-ms-request-charge"], "1");
}

TEST_F(ItemsApiTest, StatusCodesOfWrites) {
  MakeItems();
  EXPECT_EQ(CreateItem(R"({"id":"1","pk":"p"})").status, 201);
  Answer again = CreateItem(R"({"id":"1","pk":"p"})");
  EXPECT_EQ(again.status, 409);
  EXPECT_EQ(again.Message(), R"("Resource with specified id, name, or unique index already exists.")");
  EXPECT_EQ(CreateItem(R"({"id":"1","pk":"q"})", R"(["q"])").status, 201);
  EXPECT_EQ(UpsertItem(R"({"id":"1","pk":"p","v":2})").status, 200);
  EXPECT_EQ(UpsertItem(R"({"id":"2","pk":"p"})").status, 201);
  EXPECT_EQ(OneItem("PUT", "1", R"({"id":"1","pk":"p","v":3})").status, 200);
  EXPECT_EQ(ReadItem("1").At("/v"), "3");
  EXPECT_EQ(OneItem("PUT", "none", R"({"id":"none","pk":"p"})").status, 404);
  EXPECT_EQ(OneItem("PUT", "1", R"({"id":"2","pk":"p"})").status, 400);
  EXPECT_EQ(OneItem("DELETE", "1").status, 204);
  EXPECT_EQ(OneItem("DELETE", "1").status, 404);
  Answer gone = ReadItem("1");
  EXPECT_EQ(gone.status, 404);
  EXPECT_EQ(gone.Message(), R"("Resource Not Found. Learn more: https://aka.ms/cosmosdb-tsg-not-found")");
  EXPECT_EQ(ReadItem("1", R"(["q"])").status, 200);
}

TEST_F(ItemsApiTest, BadContentStoresNothing) {
  MakeItems();
  for (const char* body :
       {"", "5", "[]", "{", R"({"pk":"p"})", R"({"id":7,"pk":"p"})", R"({"id":"1","pk":"p","ttl":0})",
        R"({"id":"1","pk":"p","ttl":null})", R"({"id":"1","id":"1","pk":"p"})"}) {
    EXPECT_EQ(CreateItem(body).status, 400) << body;
  }
  Answer large = CreateItem(R"({"id":"1","pk":"p","x":")" + std::string(2 << 20, 'x') + "\"}");
  EXPECT_EQ(large.status, 413);
  EXPECT_EQ(large.At("/code"), R"("RequestEntityTooLarge")");
  EXPECT_TRUE(ReadAll({}).empty());
}

TEST_F(ItemsApiTest, PartitionKeys) {
  MakeItems();
  Answer mismatch = CreateItem(R"({"id":"1","pk":"p"})", R"(["q"])");
  EXPECT_EQ(mismatch.status, 400);
  EXPECT_EQ(mismatch.headers["x-ms-substatus"], "1001");
  EXPECT_EQ(CreateItem(R"({"id":"1","pk":"p"})", R"(["p","q"])").status, 400);
  EXPECT_EQ(CreateItem(R"({"id":"1","pk":"p"})", "").status, 201);
  EXPECT_EQ(CreateItem(R"({"id":"1","pk":5})", "[5]").status, 201);
  EXPECT_EQ(CreateItem(R"({"id":"1","pk":null})", "[null]").status, 201);
  EXPECT_EQ(CreateItem(R"({"id":"1"})", "[{}]").status, 201);
  EXPECT_EQ(CreateItem(R"({"id":"1","pk":true})", "[true]").status, 201);
  EXPECT_EQ(ReadItem("1", "[5.0]").At("/pk"), "5");
  EXPECT_EQ(ReadItem("1", "[null]").At("/pk"), "null");
  EXPECT_EQ(ReadItem("1", "[{}]").At("/pk"), "");
  EXPECT_EQ(ReadItem("1", "[false]").status, 404);
  for (const char* method : {"GET", "DELETE", "PUT"}) {
    Answer absent = OneItem(method, "1", R"({"id":"1","pk":"p"})", "");
    EXPECT_EQ(absent.status, 400) << method;
    EXPECT_EQ(absent.Message(), R"("PartitionKey value must be supplied for this operation.")");
  }
}

// A number in a key is a double, as clients compute its effective key and JavaScript writes it. Everywhere else whole
// numbers are exact.
TEST_F(ItemsApiTest, WholeNumbersBeyondADoubleAreOneKey) {
  MakeItems();
  const std::string even = "9007199254740992", odd = "9007199254740993";
  EXPECT_EQ(CreateItem(R"({"id":"1","pk":)" + even + "}", "[" + even + "]").status, 201);
  EXPECT_EQ(CreateItem(R"({"id":"1","pk":)" + odd + "}", "[" + odd + "]").status, 409);
  EXPECT_EQ(CreateItem(R"({"id":"2","pk":)" + odd + "}", "[" + odd + "]").status, 201);
  EXPECT_EQ(ReadItem("2", "[" + even + "]").At("/pk"), odd);
  EXPECT_EQ(ReadItem("1", "[" + odd + "]").At("/pk"), even);
  const auto query = [&](const std::string& filter, Headers headers) {
    headers["x-ms-documentdb-isquery"] = "True";
    headers["content-type"] = "application/query+json";
    return Send("POST", "/dbs/db/colls/c/docs", R"({"query":"SELECT VALUE c.id FROM c WHERE )" + filter + "\"}",
                std::move(headers))
        .At("/Documents");
  };
  for (const std::string& key : {even, odd}) {
    const Headers scoped{{"x-ms-documentdb-partitionkey", "[" + key + "]"}};
    EXPECT_EQ(query("true", scoped), R"(["1","2"])");
    // Without a header the filter determines the key.
    for (const Headers& headers : {scoped, Headers()}) {
      EXPECT_EQ(query("c.pk = " + even, headers), R"(["1"])");
      EXPECT_EQ(query("c.pk = " + odd, headers), R"(["2"])");
    }
  }
}

TEST_F(ItemsApiTest, HierarchicalKeysAndPrefixes) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  ASSERT_EQ(
      Send("POST", "/dbs/db/colls", R"({"id":"c","partitionKey":{"paths":["/a","/b/c"],"kind":"MultiHash"}})").status,
      201);
  ASSERT_EQ(CreateItem(R"({"id":"1","a":"x","b":{"c":1}})", R"(["x",1])").status, 201);
  ASSERT_EQ(CreateItem(R"({"id":"2","a":"x","b":{"c":2}})", R"(["x",2])").status, 201);
  ASSERT_EQ(CreateItem(R"({"id":"3","a":"y"})", R"(["y",{}])").status, 201);
  EXPECT_EQ(ReadItem("1", R"(["x"])").status, 400);
  EXPECT_EQ(ReadItem("3", R"(["y",{}])").status, 200);
  EXPECT_EQ(ReadAll({{"x-ms-documentdb-partitionkey", R"(["x"])"}}), (std::multiset<std::string>{R"("1")", R"("2")"}));
  EXPECT_EQ(ReadAll({{"x-ms-documentdb-partitionkey", R"(["x",2])"}}), (std::multiset<std::string>{R"("2")"}));
}

TEST_F(ItemsApiTest, OddIdsRoundTrip) {
  MakeItems();
  for (const auto& [json, encoded] : std::map<std::string, std::string>{{"a b", "a%20b"},
                                                                        {"100%", "100%25"},
                                                                        {"a+b", "a+b"},
                                                                        {"\\\"q\\\"", "%22q%22"},
                                                                        {"\u65e5\u672c", "%E6%97%A5%E6%9C%AC"},
                                                                        {"%2F", "%252F"},
                                                                        {"who?", "who%3F"},
                                                                        {"end ", "end%20"},
                                                                        {"a?b=c&d", "a?b=c&d"},
                                                                        {"it's;,:@&=$", "it's;,:@&=$"}}) {
    ASSERT_EQ(CreateItem("{\"id\":\"" + json + "\",\"pk\":\"p\"}").status, 201) << json;
    Answer read = ReadItem(encoded);
    EXPECT_EQ(read.status, 200) << encoded << read.body;
    EXPECT_EQ(read.At("/id"), "\"" + json + "\"");
    EXPECT_EQ(OneItem("DELETE", encoded).status, 204) << encoded;
  }
}

TEST_F(ItemsApiTest, Conditions) {
  MakeItems();
  std::string first = CreateItem(R"({"id":"1","pk":"p"})").headers["etag"];
  EXPECT_EQ(ReadItem("1", R"(["p"])", {{"if-none-match", first}}).status, 304);
  Answer has = ReadItem("1", R"(["p"])", {{"if-none-match", "*"}});
  EXPECT_EQ(has.status, 304);
  EXPECT_EQ(has.body, "");
  EXPECT_EQ(has.headers["etag"], first);
  EXPECT_EQ(ReadItem("1", R"(["p"])", {{"if-none-match", "\"other\""}}).status, 200);
  std::string body = R"({"id":"1","pk":"p","v":2})";
  std::string second = OneItem("PUT", "1", body, R"(["p"])", {{"if-match", first}}).headers["etag"];
  EXPECT_NE(second, first);
  Answer stale = OneItem("PUT", "1", body, R"(["p"])", {{"if-match", first}});
  EXPECT_EQ(stale.status, 412);
  EXPECT_EQ(stale.At("/code"), R"("PreconditionFailed")");
  EXPECT_EQ(UpsertItem(body, R"(["p"])", {{"if-match", first}}).status, 412);
  EXPECT_EQ(OneItem("DELETE", "1", "", R"(["p"])", {{"if-match", "\"rubbish\""}}).status, 412);
  EXPECT_EQ(OneItem("DELETE", "1", "", R"(["p"])", {{"if-match", "*"}}).status, 204);
}

TEST_F(ItemsApiTest, IfNoneMatchOnWrites) {
  MakeItems();
  const std::string pk = R"(["p"])";
  const std::string body = R"({"id":"1","pk":"p"})";
  const Headers none = {{"if-none-match", "*"}};
  Answer created = UpsertItem(body, pk, none);
  EXPECT_EQ(created.status, 201) << created.body;
  Answer there = UpsertItem(body, pk, none);
  EXPECT_EQ(there.status, 412);
  EXPECT_EQ(there.At("/code"), R"("PreconditionFailed")");
  EXPECT_EQ(OneItem("PUT", "1", body, pk, none).status, 412);
  EXPECT_EQ(OneItem("DELETE", "1", "", pk, none).status, 412);
  EXPECT_EQ(CreateItem(body, pk, none).status, 409) << "a create says what it always says";
  EXPECT_EQ(OneItem("DELETE", "2", "", pk, none).status, 404);

  const Headers not_this = {{"if-none-match", created.headers["etag"]}};
  EXPECT_EQ(UpsertItem(body, pk, not_this).status, 412);
  EXPECT_EQ(UpsertItem(body, pk, {{"if-none-match", "\"other\""}}).status, 200);
  EXPECT_EQ(UpsertItem(body, pk, not_this).status, 200) << "another version is there now";
  EXPECT_EQ(UpsertItem(body, pk, {{"if-none-match", "*"}, {"if-match", "*"}}).status, 400);
}

TEST_F(ItemsApiTest, AHeaderThatDecidesHasOneValue) {
  MakeItems();
  CreateItem(R"({"id":"1","pk":"p"})");
  for (const char* name : {"Authorization", "X-Ms-Date", "X-Ms-Documentdb-PartitionKey"}) {
    Answer refused = ReadItem("1", R"(["p"])", {{name, "x"}});
    EXPECT_EQ(refused.status, 400) << name;
    EXPECT_NE(refused.Message().find("is given more than once"), std::string::npos) << refused.body;
  }
  for (const char* name : {"if-match", "if-none-match", "x-ms-session-token", "content-type", "date", "prefer"}) {
    std::string upper(name);
    upper[0] = static_cast<char>(upper[0] - 'a' + 'A');
    Answer refused = ReadItem("1", R"(["p"])", {{name, "x"}, {upper, "x"}});
    EXPECT_EQ(refused.status, 400) << name;
    EXPECT_NE(refused.Message().find(name), std::string::npos) << refused.body;
  }
  EXPECT_EQ(ReadItem("1", R"(["p"])", {{"accept", "a"}, {"Accept", "b"}}).status, 200);
}

TEST_F(ItemsApiTest, SessionTokens) {
  MakeItems();
  std::string token = CreateItem(R"({"id":"1","pk":"p"})").headers["x-ms-session-token"];
  EXPECT_EQ(ReadItem("1", R"(["p"])", {{"x-ms-session-token", token}}).status, 200);
  Answer ahead = ReadItem("1", R"(["p"])", {{"x-ms-session-token", "0:1#99"}});
  EXPECT_EQ(ahead.status, 404);
  EXPECT_EQ(ahead.headers["x-ms-substatus"], "1002");
  EXPECT_EQ(ReadItem("1", R"(["p"])", {{"x-ms-session-token", "7:1#99,0:1#1"}}).status, 200);
  EXPECT_EQ(ReadItem("1", R"(["p"])", {{"x-ms-session-token", "rubbish"}}).status, 400);
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c/docs", "", {{"x-ms-session-token", "0:1#99"}}).headers["x-ms-substatus"],
            "1002");
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c/docs").headers["x-ms-session-token"], "0:1#1");
}

TEST_F(ItemsApiTest, FailuresTellWhatWasSeen) {
  MakeItems();
  std::string etag = CreateItem(R"({"id":"1","pk":"p"})").headers["etag"];
  ASSERT_EQ(UpsertItem(R"({"id":"1","pk":"p"})").status, 200);
  const std::string item = R"({"id":"1","pk":"p"})";
  const std::string pk = R"(["p"])";
  const Headers stale = {{"if-match", etag}};
  for (Answer answer : {CreateItem(item), OneItem("PUT", "1", item, pk, stale), OneItem("DELETE", "none"),
                        OneItem("PUT", "none", R"({"id":"none","pk":"p"})"), ReadItem("none"),
                        OneItem("PATCH", "1", R"([{"op":"set","path":"/a","value":1}])", pk, stale)}) {
    EXPECT_GE(answer.status, 404);
    EXPECT_EQ(answer.headers["x-ms-session-token"], "0:1#2") << answer.status;
    EXPECT_EQ(answer.headers["x-ms-content-path"], "AAAAAYAAAAE=") << answer.status;
    EXPECT_EQ(answer.headers["x-ms-alt-content-path"], "dbs/db/colls/c") << answer.status;
  }
  EXPECT_FALSE(CreateItem("{").headers.contains("x-ms-session-token")) << "nothing was looked at";
}

TEST_F(ItemsApiTest, TheLsnRisesByOneWithEachWrite) {
  MakeItems();
  EXPECT_EQ(CreateItem(R"({"id":"1","pk":"p"})").headers["lsn"], "1");
  EXPECT_EQ(CreateItem(R"({"id":"2","pk":"q"})", R"(["q"])").headers["lsn"], "2");
  EXPECT_EQ(ReadItem("1").headers["lsn"], "2");
  EXPECT_EQ(CreateItem(R"({"id":"1","pk":"p"})").headers["lsn"], "2") << "it wrote nothing";
  EXPECT_EQ(OneItem("DELETE", "1").headers["lsn"], "3");
  EXPECT_EQ(ReadItem("1").headers["lsn"], "3");
}

TEST_F(ItemsApiTest, TheIndexingDirectiveIsChecked) {
  MakeItems();
  int id = 0;
  for (const char* directive : {"Include", "exclude", "DEFAULT", ""}) {
    const std::string item = R"({"id":")" + std::to_string(++id) + R"(","pk":"p"})";
    EXPECT_EQ(CreateItem(item, R"(["p"])", {{"x-ms-indexing-directive", directive}}).status, 201) << directive;
  }
  EXPECT_EQ(CreateItem(R"({"id":"x","pk":"p"})", R"(["p"])", {{"x-ms-indexing-directive", "never"}}).status, 400);
  EXPECT_EQ(OneItem("DELETE", "1", "", R"(["p"])", {{"x-ms-indexing-directive", "never"}}).status, 400);
  EXPECT_EQ(ReadAll({}).size(), 4U) << "what is left out of the index is found all the same";
}

TEST_F(ItemsApiTest, TheIndexingDirectiveReachesTheIndex) {
  MakeItems(R"("indexingPolicy":{"automatic":false})");
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p"})").status, 201);
  ASSERT_EQ(CreateItem(R"({"id":"2","pk":"p"})", R"(["p"])", {{"x-ms-indexing-directive", "Include"}}).status, 201);
  // Items that are left out of the index have an entry at the path of the whole document.
  auto left_out = [this] {
    const auto page = Find("c")->OpenIndexPage();
    int64_t count = 0;
    for (auto walk = (*page)->Partition(0).Walk({}); walk->Valid(); walk->Next()) ++count;
    return count;
  };
  EXPECT_EQ(left_out(), 1);
  ASSERT_EQ(OneItem("PUT", "1", R"({"id":"1","pk":"p"})", R"(["p"])", {{"x-ms-indexing-directive", "Include"}}).status,
            200);
  EXPECT_EQ(left_out(), 0);
  ASSERT_EQ(OneItem("PATCH", "2", R"({"operations":[{"op":"set","path":"/a","value":1}]})", R"(["p"])",
                    {{"x-ms-indexing-directive", "Exclude"}})
                .status,
            200);
  EXPECT_EQ(left_out(), 1);
  // A patch that does not mention it leaves it unchanged.
  for (const char* id : {"1", "2"}) {
    ASSERT_EQ(OneItem("PATCH", id, R"({"operations":[{"op":"set","path":"/a","value":2}]})").status, 200);
  }
  EXPECT_EQ(left_out(), 1);
}

TEST_F(ItemsApiTest, TriggersAreNotPassedOver) {
  MakeItems();
  for (const char* header : {"x-ms-documentdb-pre-trigger-include", "x-ms-documentdb-post-trigger-include"}) {
    EXPECT_EQ(CreateItem(R"({"id":"x","pk":"p"})", R"(["p"])", {{header, "t"}}).status, 400);
    EXPECT_EQ(ReadItem("x").status, 404);
  }
  EXPECT_EQ(CreateItem(R"({"id":"x","pk":"p"})", R"(["p"])", {{"x-ms-documentdb-pre-trigger-include", ""}}).status,
            201);
}

TEST_F(ItemsApiTest, ErrorsNameTheValueThatIsWrong) {
  MakeItems();
  EXPECT_EQ(
      Send("GET", "/dbs/db/colls/c/docs", "", {{"x-ms-max-item-count", "-2"}}).Message(),
      R"("The input PageSize -2 is invalid. Ensure to pass a valid page size which must be a positive integer or )"
      R"(-1 for a dynamic page size.")");
  EXPECT_EQ(ReadItem("1", R"(["p"])", {{"x-ms-session-token", "0:x"}}).Message(),
            R"("The session token provided '0:x' is invalid.")");
}

TEST_F(ItemsApiTest, MinimalAnswers) {
  MakeItems();
  Answer made = CreateItem(R"({"id":"1","pk":"p"})", R"(["p"])", {{"prefer", "return=minimal"}});
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.body, "");
  EXPECT_NE(made.headers["etag"], "");
}

TEST_F(ItemsApiTest, FeedsComeInPages) {
  MakeItems();
  for (int i = 0; i < 25; ++i) {
    std::string pk = std::to_string(i % 4);
    ASSERT_EQ(CreateItem(R"({"id":")" + std::to_string(i) + R"(","pk":")" + pk + "\"}", "[\"" + pk + "\"]").status,
              201);
  }
  int pages = 0;
  EXPECT_EQ(ReadAll({{"x-ms-max-item-count", "10"}}, &pages).size(), 25U);
  EXPECT_EQ(pages, 3);
  EXPECT_EQ(ReadAll({{"x-ms-max-item-count", "-1"}}, &pages).size(), 25U);
  EXPECT_EQ(pages, 1);
  EXPECT_EQ(ReadAll({{"x-ms-max-item-count", "3"}, {"x-ms-documentdb-partitionkey", R"(["1"])"}}, &pages).size(), 6U);
  EXPECT_EQ(ReadAll({{"x-ms-documentdb-partitionkeyrangeid", "0"}}).size(), 25U);
  for (const char* bad : {"0", "-2", "x", "1.5"}) {
    EXPECT_EQ(Send("GET", "/dbs/db/colls/c/docs", "", {{"x-ms-max-item-count", bad}}).status, 400) << bad;
  }
  Answer first = Send("GET", "/dbs/db/colls/c/docs", "", {{"x-ms-max-item-count", "5"}});
  std::string token = first.headers["x-ms-continuation"];
  EXPECT_EQ(first.At("/_count"), "5");
  EXPECT_EQ(first.At("/_rid"), R"("AAAAAYAAAAE=")");
  Answer other = Send("GET", "/dbs/db/colls/c/docs", "",
                      {{"x-ms-continuation", token}, {"x-ms-documentdb-partitionkey", R"(["1"])"}});
  EXPECT_EQ(other.status, 400);
  EXPECT_EQ(other.Message(), R"("Invalid Continuation Token")");
  ++token[token.size() / 2];
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c/docs", "", {{"x-ms-continuation", token}}).status, 400);
}

TEST_F(ItemsApiTest, FeedsOverSeveralRanges) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  ASSERT_EQ(Send("POST", "/dbs/db/colls", R"({"id":"c","partitionKey":{"paths":["/id"],"version":2}})",
                 {{"x-ms-offer-throughput", "18000"}})
                .status,
            201);
  for (int i = 0; i < 40; ++i) {
    std::string id = std::to_string(i);
    ASSERT_EQ(CreateItem(R"({"id":")" + id + "\"}", "[\"" + id + "\"]").status, 201);
  }
  EXPECT_EQ(ReadAll({{"x-ms-max-item-count", "7"}}).size(), 40U);
  std::multiset<std::string> together;
  Answer ranges = Send("GET", "/dbs/db/colls/c/pkranges");
  for (int i = 0; i < 3; ++i) {
    std::string at = "/PartitionKeyRanges/" + std::to_string(i);
    auto plain = [&](const std::string& name) {
      std::string quoted = ranges.At(at + name);
      return quoted.substr(1, quoted.size() - 2);
    };
    std::multiset<std::string> part = ReadAll({{"x-ms-documentdb-partitionkeyrangeid", plain("/id")}});
    EXPECT_LT(part.size(), 40U);
    EXPECT_EQ(part, ReadAll({{"x-ms-start-epk", plain("/minInclusive")}, {"x-ms-end-epk", plain("/maxExclusive")}}));
    together.insert(part.begin(), part.end());
  }
  EXPECT_EQ(together, ReadAll({}));
  Answer gone = Send("GET", "/dbs/db/colls/c/docs", "", {{"x-ms-documentdb-partitionkeyrangeid", "99"}});
  EXPECT_EQ(gone.status, 410);
  EXPECT_EQ(gone.headers["x-ms-substatus"], "1002");
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c/docs", "", {{"x-ms-documentdb-partitionkeyrangeid", "x"}}).status, 400);
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c/docs", "", {{"x-ms-start-epk", "zz"}, {"x-ms-end-epk", "FF"}}).status, 400);
}

TEST_F(ItemsApiTest, Queries) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p"})").status, 201);
  Headers query{{"x-ms-documentdb-isquery", "true"},
                {"content-type", "application/query+json"},
                {"x-ms-documentdb-query-enablecrosspartition", "True"}};
  Answer all = Send("POST", "/dbs/db/colls/c/docs", R"({"query":"SELECT * from c","parameters":[]})", query);
  EXPECT_EQ(all.status, 200);
  EXPECT_EQ(all.At("/Documents/0/id"), R"("1")");
  Answer count = Send("POST", "/dbs/db/colls/c/docs", R"x({"query":"SELECT VALUE COUNT(1) FROM c"})x", query);
  EXPECT_EQ(count.At("/Documents/0"), "1");
  Answer wrong = Send("POST", "/dbs/db/colls/c/docs", R"({"query":"SELECT FROM c"})", query);
  EXPECT_EQ(wrong.status, 400);
  EXPECT_NE(wrong.Message().find("SC1001"), std::string::npos) << wrong.body;
  EXPECT_EQ(Send("POST", "/dbs/db/colls/c/docs", "{}", query).status, 400);
  query["x-ms-cosmos-is-query-plan-request"] = "True";
  Answer plan = Send("POST", "/dbs/db/colls/c/docs", R"({"query":"SELECT * FROM c"})", query);
  EXPECT_EQ(plan.At("/partitionedQueryExecutionInfoVersion"), "2");
  EXPECT_EQ(plan.At("/queryRanges/0/max"), R"("FF")");
}

TEST_F(ItemsApiTest, AQueryOverAllPartitionsHasToBeAsked) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p"})").status, 201);
  const auto ask = [this](const std::string& text, Headers headers, const std::string& parameters = "[]") {
    headers["x-ms-documentdb-isquery"] = "True";
    return Send("POST", "/dbs/db/colls/c/docs", R"({"query":")" + text + R"(","parameters":)" + parameters + "}",
                headers);
  };
  const std::string flag = "x-ms-documentdb-query-enablecrosspartition";
  const std::string all = "SELECT * FROM c";
  for (const Headers& headers : {Headers{}, Headers{{flag, "false"}}, Headers{{flag, ""}}}) {
    Answer refused = ask(all, headers);
    EXPECT_EQ(refused.status, 400);
    EXPECT_NE(refused.Message().find("Please set " + flag + " to true"), std::string::npos) << refused.body;
    // Not the sub-status that makes clients merge partitions themselves.
    EXPECT_NE(refused.headers["x-ms-substatus"], "1004");
    EXPECT_EQ(ask("SELECT * FROM c WHERE c.pk IN ('p', 'q')", headers).status, 400);
    EXPECT_EQ(ask("SELECT * FROM c WHERE c.pk > 'p'", headers).status, 400);
  }
  for (const Headers& headers :
       {Headers{{flag, "true"}}, Headers{{flag, "True"}}, Headers{{"x-ms-documentdb-partitionkey", R"(["p"])"}},
        Headers{{"x-ms-documentdb-partitionkeyrangeid", "0"}},
        Headers{{"x-ms-start-epk", ""}, {"x-ms-end-epk", "FF"}}}) {
    EXPECT_EQ(ask(all, headers).At("/_count"), "1");
  }
  // A filter that leaves one key needs nothing else, and neither does a query that reads no items.
  EXPECT_EQ(ask("SELECT * FROM c WHERE c.pk = 'p' AND c.id = '1'", {}).At("/_count"), "1");
  EXPECT_EQ(ask("SELECT * FROM c WHERE c.pk = @pk", {}, R"([{"name":"@pk","value":"p"}])").At("/_count"), "1");
  EXPECT_EQ(ask("SELECT VALUE 1", {}).At("/_count"), "1");
}

TEST_F(ItemsApiTest, WhatIsNotBuiltSaysSo) {
  MakeItems();
  const Answer answer =
      CreateItem(R"({"id":"1","pk":"p"})", R"(["p"])", {{"x-ms-documentdb-pre-trigger-include", "t"}});
  EXPECT_EQ(answer.status, 400);
  EXPECT_NE(answer.Message().find("not supported yet"), std::string::npos) << answer.body;
}

TEST_F(ItemsApiTest, AnExpiredItemIsGoneFromEverything) {
  MakeItems(R"("defaultTtl":10)");
  std::string etag = CreateItem(R"({"id":"inherits","pk":"p"})").headers["etag"];
  ASSERT_EQ(CreateItem(R"({"id":"own","pk":"p","ttl":5})").status, 201);
  ASSERT_EQ(CreateItem(R"({"id":"forever","pk":"p","ttl":-1})").status, 201);
  PassSeconds(5);
  EXPECT_EQ(ReadItem("own").status, 404);
  EXPECT_EQ(ReadItem("inherits").status, 200);
  PassSeconds(5);
  EXPECT_EQ(ReadItem("inherits").status, 404);
  EXPECT_EQ(OneItem("PUT", "inherits", R"({"id":"inherits","pk":"p"})", R"(["p"])", {{"if-match", etag}}).status, 404);
  EXPECT_EQ(OneItem("DELETE", "inherits").status, 404);
  EXPECT_EQ(ReadAll({}), std::multiset<std::string>{R"("forever")"});
  EXPECT_EQ(CreateItem(R"({"id":"own","pk":"p"})").status, 201);
  EXPECT_EQ(UpsertItem(R"({"id":"inherits","pk":"p"})").status, 201);
  // Raising the default revives nothing.
  PassSeconds(20);
  ASSERT_EQ(
      Send("PUT", "/dbs/db/colls/c", R"({"id":"c","partitionKey":{"paths":["/pk"],"version":2},"defaultTtl":1000})")
          .status,
      200);
  EXPECT_EQ(ReadAll({}), std::multiset<std::string>{R"("forever")"});
}

// JSON may need six bytes where BSON needs one. The limit applies to the page as it is sent.
TEST_F(ItemsApiTest, PagesAreBoundedAsTheyAreSent) {
  MakeItems();
  constexpr size_t kPage = 4 * 1024 * 1024;
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += "\\u0001";
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(CreateItem(R"({"id":")" + std::to_string(i) + R"(","pk":"p","text":")" + text + R"("})").status, 201);
  }
  for (bool changes : {false, true}) {
    int items = 0;
    Headers headers;
    if (changes) headers["A-IM"] = "Incremental Feed";
    for (int page = 0; page < 10; ++page) {
      Answer answer = Send("GET", "/dbs/db/colls/c/docs", "", headers);
      if (answer.status == 304) break;
      ASSERT_EQ(answer.status, 200) << answer.body.substr(0, 200);
      EXPECT_LE(answer.body.size(), kPage);
      items += std::stoi(answer.At("/_count"));
      headers[changes ? "If-None-Match" : "x-ms-continuation"] = answer.headers[changes ? "etag" : "x-ms-continuation"];
      if (!changes && headers["x-ms-continuation"].empty()) break;
    }
    EXPECT_EQ(items, 5);
  }
}

// The test clock goes far into the future: an etag holds times beyond 2^32.
TEST_F(ItemsApiTest, ConditionsHoldForTimesBeyond32Bits) {
  MakeItems();
  StepWallSeconds(1);
  wall_.Advance(200LL * 365 * 86'400 * 1000);
  steady_.AdvanceMs(1000);
  ASSERT_TRUE(engine_->clock().Accept().ok());
  Answer created = CreateItem(R"({"id":"1","pk":"p","n":1})");
  ASSERT_EQ(created.status, 201);
  ASSERT_GT(std::stoll(created.At("/_ts")), int64_t{1} << 32);
  Headers match{{"x-ms-documentdb-partitionkey", R"(["p"])"}, {"If-Match", created.headers["etag"]}};
  EXPECT_EQ(Send("PUT", "/dbs/db/colls/c/docs/1", R"({"id":"1","pk":"p","n":2})", match).status, 200);
  EXPECT_EQ(Send("PUT", "/dbs/db/colls/c/docs/1", R"({"id":"1","pk":"p","n":3})", match).status, 412);
}

}  // namespace
}  // namespace lapse::api::cosmos
