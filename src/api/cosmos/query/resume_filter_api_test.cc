// Tests queries with ORDER BY that begin at a point which the client names by values.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "api/cosmos/api_fixture.h"

namespace lapse::api::cosmos {
namespace {

class ResumeFilterApiTest : public ApiFixture {
 protected:
  // Items in the order of creation. n: 1 1 1 2 2 null "a" and none.
  ResumeFilterApiTest() {
    MakeItems(R"("indexingPolicy":{"includedPaths":[{"path":"/*"},{"path":"/n/?"},{"path":"/m/?"}],"excludedPaths":[],)"
              R"("compositeIndexes":[[{"path":"/n","order":"descending"},{"path":"/m","order":"ascending"}]]})");
    for (const char* item : {R"({"id":"a","pk":"p","n":1,"m":1})", R"({"id":"b","pk":"p","n":1,"m":2})",
                             R"({"id":"c","pk":"p","n":1,"m":3})", R"({"id":"d","pk":"p","n":2,"m":1})",
                             R"({"id":"e","pk":"p","n":2,"m":2})", R"({"id":"f","pk":"p","n":null})",
                             R"({"id":"g","pk":"p","n":"a"})", R"({"id":"h","pk":"p"})"}) {
      EXPECT_EQ(CreateItem(item).status, 201);
    }
  }

  Answer Ask(const std::string& query, const std::string& filter, Headers headers = {}) {
    headers["x-ms-documentdb-isquery"] = "True";
    headers["content-type"] = "application/query+json";
    headers["x-ms-documentdb-partitionkeyrangeid"] = "0";
    std::string body = R"({"query":)";
    doc::StringToJson(query, &body);
    body += R"(,"parameters":[])";
    if (!filter.empty()) body += R"(,"resumeFilter":)" + filter;
    return Send("POST", "/dbs/db/colls/c/docs", body + "}", std::move(headers));
  }

  // Returns the ids in sequence.
  std::string Ids(const std::string& query, const std::string& filter, Headers headers = {}) {
    Answer answer = Ask(query, filter, std::move(headers));
    EXPECT_EQ(answer.status, 200) << answer.body;
    std::string ids;
    for (char c : answer.At("/Documents")) {
      if (c >= 'a' && c <= 'z') ids += c;
    }
    return ids;
  }

  std::string Rid(const std::string& id) { return ReadItem(id).At("/_rid"); }

  static constexpr const char* kAscending = "SELECT VALUE c.id FROM c ORDER BY c.n";
  static constexpr const char* kDescending = "SELECT VALUE c.id FROM c ORDER BY c.n DESC";
};

TEST_F(ResumeFilterApiTest, WithoutAFilterEverythingComes) {
  EXPECT_EQ(Ids(kAscending, ""), "hfabcdeg");
  EXPECT_EQ(Ids(kAscending, "null"), "hfabcdeg");
  EXPECT_EQ(Ids(kDescending, ""), "gedcbafh");
}

TEST_F(ResumeFilterApiTest, RowsBeginWithTheValuesOrBehindThem) {
  EXPECT_EQ(Ids(kAscending, R"({"value":[1],"exclude":false})"), "abcdeg");
  EXPECT_EQ(Ids(kAscending, R"({"value":[1]})"), "abcdeg");
  EXPECT_EQ(Ids(kAscending, R"({"value":[1],"exclude":true})"), "deg");
  EXPECT_EQ(Ids(kAscending, R"({"value":[1.5],"exclude":false})"), "deg");
  EXPECT_EQ(Ids(kDescending, R"({"value":[1],"exclude":false})"), "cbafh");
  EXPECT_EQ(Ids(kDescending, R"({"value":[1],"exclude":true})"), "fh");
}

TEST_F(ResumeFilterApiTest, AnItemIsAPlaceAmongEqualValues) {
  const std::string b = R"({"value":[1],"rid":)" + Rid("b");
  EXPECT_EQ(Ids(kAscending, b + R"(,"exclude":false})"), "bcdeg");
  EXPECT_EQ(Ids(kAscending, b + R"(,"exclude":true})"), "cdeg");
  EXPECT_EQ(Ids(kDescending, b + R"(,"exclude":false})"), "bafh");
  EXPECT_EQ(Ids(kDescending, b + R"(,"exclude":true})"), "afh");
  // The point stays valid when the item is deleted.
  ASSERT_EQ(OneItem("DELETE", "b").status, 204);
  EXPECT_EQ(Ids(kAscending, b + R"(,"exclude":false})"), "cdeg");
}

TEST_F(ResumeFilterApiTest, EveryTypeIsAPlace) {
  EXPECT_EQ(Ids(kAscending, R"({"value":[[]],"exclude":false})"), "hfabcdeg");
  EXPECT_EQ(Ids(kAscending, R"({"value":[[]],"exclude":true})"), "fabcdeg");
  EXPECT_EQ(Ids(kAscending, R"({"value":[null],"exclude":true})"), "abcdeg");
  EXPECT_EQ(Ids(kAscending, R"({"value":[true],"exclude":true})"), "abcdeg");
  EXPECT_EQ(Ids(kAscending, R"({"value":["a"],"exclude":false})"), "g");
  EXPECT_EQ(Ids(kAscending, R"({"value":["a"],"exclude":true})"), "");
}

TEST_F(ResumeFilterApiTest, SeveralKeysHaveSeveralValues) {
  const std::string query = "SELECT VALUE c.id FROM c WHERE IS_NUMBER(c.n) ORDER BY c.n DESC, c.m ASC";
  EXPECT_EQ(Ids(query, ""), "deabc");
  EXPECT_EQ(Ids(query, R"({"value":[2,2],"exclude":false})"), "eabc");
  EXPECT_EQ(Ids(query, R"({"value":[1,2],"exclude":true})"), "c");
}

TEST_F(ResumeFilterApiTest, PagesGoOnBehindTheFilter) {
  std::string ids;
  Headers headers{{"x-ms-max-item-count", "2"}};
  for (int pages = 0; pages < 5; ++pages) {
    Answer page = Ask(kAscending, R"({"value":[1],"exclude":false})", headers);
    ASSERT_EQ(page.status, 200) << page.body;
    ids += page.At("/Documents/0") + page.At("/Documents/1");
    if (page.headers["x-ms-continuation"].empty()) break;
    headers["x-ms-continuation"] = page.headers["x-ms-continuation"];
  }
  EXPECT_EQ(ids, R"("a""b""c""d""e""g")");
}

// A client sends a filter together with a continuation that it got without a filter, or with another one.
TEST_F(ResumeFilterApiTest, TheFurtherOfContinuationAndFilterCounts) {
  Headers after_three{{"x-ms-max-item-count", "3"}};
  after_three["x-ms-continuation"] = Ask(kAscending, "", after_three).headers["x-ms-continuation"];
  after_three["x-ms-max-item-count"] = "100";
  ASSERT_EQ(Ids(kAscending, "", after_three), "bcdeg");
  EXPECT_EQ(Ids(kAscending, R"({"value":[2],"exclude":false})", after_three), "deg");
  EXPECT_EQ(Ids(kAscending, R"({"value":[null],"exclude":false})", after_three), "bcdeg");
  EXPECT_EQ(Ids(kAscending, R"({"value":[1],"rid":)" + Rid("c") + R"(,"exclude":false})", after_three), "cdeg");
}

TEST_F(ResumeFilterApiTest, JoinsResumeAtTheirItem) {
  UpsertItem(R"({"id":"a","pk":"p","n":1,"t":[1,2]})");
  UpsertItem(R"({"id":"b","pk":"p","n":1,"t":[1,2]})");
  const std::string query = "SELECT VALUE c.id FROM c JOIN t IN c.t ORDER BY c.n";
  EXPECT_EQ(Ids(query, R"({"value":[1],"rid":)" + Rid("b") + R"(,"exclude":false})"), "bb");
  EXPECT_EQ(Ids(query, R"({"value":[1],"rid":)" + Rid("a") + R"(,"exclude":false})"), "aabb");
  EXPECT_EQ(Ids(query, R"({"value":[1],"rid":)" + Rid("a") + R"(,"exclude":true})"), "bb");
}

TEST_F(ResumeFilterApiTest, WhatIsWrongIsSaid) {
  for (const char* filter :
       {R"(5)", R"([])", R"({})", R"({"value":1})", R"({"value":[]})", R"({"value":[1,2]})", R"({"value":[[1]]})",
        R"({"value":[1],"rid":5})", R"({"value":[1],"rid":"x"})", R"({"value":[1],"exclude":"true"})"}) {
    Answer refused = Ask(kAscending, filter);
    EXPECT_EQ(refused.status, 400) << filter;
    EXPECT_NE(refused.Message().find("esume"), std::string::npos) << refused.body;
  }
  Answer hashed = Ask(kAscending, R"({"value":[{"type":"array","low":1,"high":2}],"exclude":true})");
  EXPECT_EQ(hashed.status, 400);
  EXPECT_NE(hashed.Message().find("array or an object"), std::string::npos) << hashed.body;
  // An item of another container.
  ASSERT_EQ(Send("POST", "/dbs/db/colls", R"({"id":"other","partitionKey":{"paths":["/pk"]}})").status, 201);
  Answer other = Send("POST", "/dbs/db/colls/other/docs", R"({"id":"x","pk":"p"})",
                      {{"x-ms-documentdb-partitionkey", R"(["p"])"}});
  EXPECT_EQ(Ask(kAscending, R"({"value":[1],"rid":)" + other.At("/_rid") + "}").status, 400);
}

TEST_F(ResumeFilterApiTest, AQueryWithoutAnOrderHasNoPlaces) {
  for (const char* query : {"SELECT * FROM c", "SELECT VALUE COUNT(1) FROM c", "SELECT DISTINCT VALUE c.n FROM c",
                            "SELECT c.n, COUNT(1) AS x FROM c GROUP BY c.n"}) {
    EXPECT_EQ(Ask(query, R"({"value":[1],"exclude":true})").status, 400) << query;
  }
  const std::string distinct = "SELECT DISTINCT VALUE c.m FROM c ORDER BY c.m";
  EXPECT_EQ(Ask(distinct, R"({"value":[1],"exclude":true})").At("/Documents"), "[2,3]");
  EXPECT_EQ(Ask(distinct, R"({"value":[1],"exclude":false})").status, 400);
}

}  // namespace
}  // namespace lapse::api::cosmos
