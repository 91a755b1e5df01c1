// Tests the headers that report on a query.
#include <gtest/gtest.h>

#include <string>

#include "api/cosmos/api_fixture.h"
#include "base/base64.h"
#include "base/escape.h"

namespace lapse::api::cosmos {
namespace {

class QueryHeadersApiTest : public ApiFixture {
 protected:
  QueryHeadersApiTest() {
    EXPECT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
    const std::string container =
        R"({"id":"c","partitionKey":{"paths":["/pk"]},"indexingPolicy":{"includedPaths":[{"path":"/a/?"},)"
        R"({"path":"/tags/*"},{"path":"/pk/?"}],"excludedPaths":[{"path":"/*"}],)"
        R"("compositeIndexes":[[{"path":"/a"},{"path":"/n","order":"descending"}]]}})";
    EXPECT_EQ(Send("POST", "/dbs/db/colls", container).status, 201);
    for (int i = 0; i < 5; ++i) {
      const std::string item = R"({"id":")" + std::to_string(i) + R"(","pk":"k","a":)" + std::to_string(i) + "}";
      EXPECT_EQ(Send("POST", "/dbs/db/colls/c/docs", item, {{"x-ms-documentdb-partitionkey", R"(["k"])"}}).status, 201);
    }
  }

  Answer Query(const std::string& query, Headers headers) {
    headers["x-ms-documentdb-isquery"] = "True";
    headers["content-type"] = "application/query+json";
    headers["x-ms-documentdb-query-enablecrosspartition"] = "True";
    std::string body = R"({"query":)";
    doc::StringToJson(query, &body);
    return Send("POST", "/dbs/db/colls/c/docs", body + "}", std::move(headers));
  }

  std::string IndexMetrics(const std::string& query) {
    std::string decoded;
    const std::string header =
        Query(query, {{"x-ms-cosmos-populateindexmetrics-v2", "True"}}).headers["x-ms-cosmos-index-utilization"];
    EXPECT_TRUE(PercentDecode(header, &decoded)) << header;
    return decoded;
  }
};

TEST_F(QueryHeadersApiTest, AResultThatNoPageCanHaveIsRefused) {
  std::string quotes;
  for (int i = 0; i < 500'000; ++i) quotes += R"(\")";
  const std::string item = R"({"id":"large","pk":"k","p":")" + quotes + "\"}";
  ASSERT_EQ(Send("POST", "/dbs/db/colls/c/docs", item, {{"x-ms-documentdb-partitionkey", R"(["k"])"}}).status, 201);
  const auto selecting = [&](int times) {
    std::string query = "SELECT c.p AS p0";
    for (int i = 1; i < times; ++i) query += ", c.p AS p" + std::to_string(i);
    return Query(query + " FROM c WHERE c.id = 'large'", {});
  };
  EXPECT_EQ(selecting(7).status, 200) << "7 MB: a page of its own";
  Answer refused = selecting(9);
  EXPECT_EQ(refused.status, 413);
  EXPECT_NE(refused.body.find("more than 8 MB as JSON"), std::string::npos) << refused.body;
}

TEST_F(QueryHeadersApiTest, IndexMetrics) {
  EXPECT_EQ(IndexMetrics("SELECT * FROM c WHERE c.a > 1 AND c.b = 'x' AND ARRAY_CONTAINS(c.tags, 1) AND c._ts > 0"),
            R"({"UtilizedIndexes":{"SingleIndexes":[{"IndexSpec":"/_ts/?"},{"IndexSpec":"/a/?"},)"
            R"({"IndexSpec":"/tags/[]/?"}],"CompositeIndexes":[]},"PotentialIndexes":{"SingleIndexes":)"
            R"([{"IndexSpec":"/b/?"}],"CompositeIndexes":[]}})");
  EXPECT_EQ(IndexMetrics("SELECT * FROM c WHERE c['x y'] = 1 ORDER BY c.a DESC, c.n"),
            R"({"UtilizedIndexes":{"SingleIndexes":[],"CompositeIndexes":[{"IndexSpecs":["/a DESC","/n ASC"]}]},)"
            R"("PotentialIndexes":{"SingleIndexes":[{"IndexSpec":"/\"x y\"/?"}],"CompositeIndexes":[]}})");
  EXPECT_EQ(IndexMetrics("SELECT * FROM c WHERE c.a = 1 AND c.n > 2 AND c.pk = 'k'"),
            R"({"UtilizedIndexes":{"SingleIndexes":[{"IndexSpec":"/pk/?"}],"CompositeIndexes":[{"IndexSpecs":)"
            R"(["/a ASC","/n DESC"]}]},"PotentialIndexes":{"SingleIndexes":[],"CompositeIndexes":[]}})");
  EXPECT_EQ(IndexMetrics("SELECT VALUE MAX(c.a) FROM c"),
            R"({"UtilizedIndexes":{"SingleIndexes":[{"IndexSpec":"/a/?"}],"CompositeIndexes":[]},)"
            R"("PotentialIndexes":{"SingleIndexes":[],"CompositeIndexes":[]}})");
  // One unindexed alternative makes the query read all items.
  EXPECT_EQ(IndexMetrics("SELECT * FROM c WHERE c.a = 1 OR c.b = 2"),
            R"({"UtilizedIndexes":{"SingleIndexes":[],"CompositeIndexes":[]},)"
            R"("PotentialIndexes":{"SingleIndexes":[{"IndexSpec":"/b/?"}],"CompositeIndexes":[]}})");
  // That a returned value must exist is not a filter.
  EXPECT_EQ(IndexMetrics("SELECT VALUE c.a FROM c WHERE c.b = 2"),
            R"({"UtilizedIndexes":{"SingleIndexes":[],"CompositeIndexes":[]},)"
            R"("PotentialIndexes":{"SingleIndexes":[{"IndexSpec":"/b/?"}],"CompositeIndexes":[]}})");
  EXPECT_EQ(IndexMetrics("SELECT * FROM c"), R"({"UtilizedIndexes":{"SingleIndexes":[],"CompositeIndexes":[]},)"
                                             R"("PotentialIndexes":{"SingleIndexes":[],"CompositeIndexes":[]}})");
}

TEST_F(QueryHeadersApiTest, TheOlderFormOfIndexMetrics) {
  const std::string header = Query("SELECT * FROM c WHERE c.a = 1", {{"x-ms-cosmos-populateindexmetrics", "True"}})
                                 .headers["x-ms-cosmos-index-utilization"];
  std::string decoded;
  ASSERT_TRUE(FromBase64(header, &decoded)) << header;
  EXPECT_EQ(decoded, R"({"UtilizedSingleIndexes":[{"FilterExpression":"","IndexSpec":"/a/?","FilterPreciseSet":true,)"
                     R"("IndexPreciseSet":true,"IndexImpactScore":"High"}],"PotentialSingleIndexes":[],)"
                     R"("UtilizedCompositeIndexes":[],"PotentialCompositeIndexes":[]})");
}

TEST_F(QueryHeadersApiTest, IndexMetricsHaveRoomInAHeader) {
  std::string query = "SELECT * FROM c WHERE c.a = 1 OR c.tags[0] = 1 OR c[\"" + std::string(5'000, 'x') + "\"] = 1";
  for (int i = 0; i < 500; ++i)
    query += " OR c.tags.p" + std::to_string(i) + " = 1 OR c.q" + std::to_string(i) + " = 1";
  for (const char* wanted : {"x-ms-cosmos-populateindexmetrics-v2", "x-ms-cosmos-populateindexmetrics"}) {
    Answer answer = Query(query, {{wanted, "True"}});
    const std::string header = answer.headers["x-ms-cosmos-index-utilization"];
    EXPECT_LE(header.size(), 4096u) << wanted;
    EXPECT_GE(header.size(), 3500u) << wanted;
    std::string json;
    const bool is_older = std::string_view(wanted) == "x-ms-cosmos-populateindexmetrics";
    ASSERT_TRUE(is_older ? FromBase64(header, &json) : PercentDecode(header, &json)) << wanted;
    std::string bson;
    EXPECT_TRUE(doc::JsonToBson(json, {}, &bson).ok()) << json;
    EXPECT_NE(json.find(R"("IndexSpec":"/)"), std::string::npos);
  }
}

TEST_F(QueryHeadersApiTest, MetricsAreToldWhenTheyAreAskedFor) {
  Answer page = Query("SELECT VALUE c.id FROM c WHERE c.id > '1'", {{"x-ms-documentdb-populatequerymetrics", "true"}});
  const std::string metrics = page.headers["x-ms-documentdb-query-metrics"];
  for (const char* part : {"retrievedDocumentCount=5;", "outputDocumentCount=3;", "indexUtilizationRatio=0.60"}) {
    EXPECT_NE(metrics.find(part), std::string::npos) << part << " in " << metrics;
  }
  EXPECT_FALSE(Query("SELECT * FROM c", {}).headers.contains("x-ms-documentdb-query-metrics"));
}

TEST_F(QueryHeadersApiTest, ItemsAreFoundByRidAndByTheSecondOfTheirWrite) {
  const std::string rid = Query("SELECT VALUE c._rid FROM c WHERE c.id = '3'", {}).At("/Documents/0");
  PassSeconds(5);
  const std::string more = R"({"id":"3","pk":"k","a":7})";
  ASSERT_EQ(Send("PUT", "/dbs/db/colls/c/docs/3", more, {{"x-ms-documentdb-partitionkey", R"(["k"])"}}).status, 200);
  for (const std::string& filter :
       {"c._rid = " + rid, "c._rid IN ('x', 'AAAAAA==', " + rid + ")", "c._ts > " + std::to_string(kStart_s)}) {
    Answer page = Query("SELECT VALUE c.a FROM c WHERE " + filter, {{"x-ms-documentdb-populatequerymetrics", "true"}});
    EXPECT_EQ(page.At("/Documents"), "[7]") << filter;
    const std::string metrics = page.headers["x-ms-documentdb-query-metrics"];
    EXPECT_NE(metrics.find("retrievedDocumentCount=1;"), std::string::npos) << metrics;
    EXPECT_NE(metrics.find("indexUtilizationRatio=1.00"), std::string::npos) << metrics;
  }
}

// Clients split the text at each `;` and `=`, and parse every value as a number.
TEST_F(QueryHeadersApiTest, MetricsAreNamedNumbers) {
  std::string metrics = Query("SELECT * FROM c", {{"x-ms-documentdb-populatequerymetrics", "True"}})
                            .headers["x-ms-documentdb-query-metrics"];
  metrics += ';';
  ASSERT_FALSE(metrics.starts_with(';'));
  for (size_t begin = 0; begin < metrics.size();) {
    const size_t end = metrics.find(';', begin);
    const std::string part = metrics.substr(begin, end - begin);
    const size_t equals = part.find('=');
    ASSERT_NE(equals, std::string::npos) << part;
    EXPECT_EQ(part.substr(equals + 1).find_first_not_of("0123456789."), std::string::npos) << part;
    EXPECT_LT(equals + 1, part.size()) << part;
    begin = end + 1;
  }
}

TEST_F(QueryHeadersApiTest, QueryMetricsTellWhatWasRead) {
  const Headers asks{{"x-ms-documentdb-populatequerymetrics", "True"}};
  Answer one = Query("SELECT * FROM c WHERE c.a = 1", asks);
  EXPECT_TRUE(one.headers["x-ms-documentdb-query-metrics"].starts_with("retrievedDocumentCount=1;"))
      << one.headers["x-ms-documentdb-query-metrics"];
  Answer all = Query("SELECT * FROM c WHERE c.a + 0 = 1", asks);
  EXPECT_TRUE(all.headers["x-ms-documentdb-query-metrics"].starts_with("retrievedDocumentCount=5;"));
}

TEST_F(QueryHeadersApiTest, WithoutMemoryForQueriesTheAnswerIs503) {
  query_memory_bytes_max_ = 1000;
  StartApi(AnyHost());
  Answer refused = Query("SELECT VALUE CONCAT(c.id, 'x') FROM c", {});
  EXPECT_EQ(refused.status, 503);
  EXPECT_NE(refused.Message().find("all queries"), std::string::npos) << refused.body;
}

}  // namespace
}  // namespace lapse::api::cosmos
