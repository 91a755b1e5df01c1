// What the headers of a query's pages tell about it.
#include <gtest/gtest.h>

#include <string>

#include "api/cosmos/api_fixture.h"
#include "base/base64.h"

namespace lapse::api::cosmos {
namespace {

class QueryHeadersApiTest : public ApiFixture {
 protected:
  QueryHeadersApiTest() {
    MakeItems();
    for (const char* id : {"1", "2", "3"}) CreateItem(R"({"id":")" + std::string(id) + R"(","pk":"p"})");
  }

  Answer Query(const std::string& query, Headers headers) {
    headers["x-ms-documentdb-isquery"] = "True";
    headers["content-type"] = "application/query+json";
    headers["x-ms-documentdb-query-enablecrosspartition"] = "True";
    std::string body = R"({"query":)";
    doc::StringToJson(query, &body);
    return Send("POST", "/dbs/db/colls/c/docs", body + "}", std::move(headers));
  }
};

TEST_F(QueryHeadersApiTest, MetricsAreToldWhenTheyAreAskedFor) {
  Answer page = Query("SELECT VALUE c.id FROM c WHERE c.id > '1'", {{"x-ms-documentdb-populatequerymetrics", "true"}});
  const std::string metrics = page.headers["x-ms-documentdb-query-metrics"];
  for (const char* part : {"retrievedDocumentCount=3;", "outputDocumentCount=2;", "indexUtilizationRatio="}) {
    EXPECT_NE(metrics.find(part), std::string::npos) << part << " in " << metrics;
  }
  EXPECT_FALSE(Query("SELECT * FROM c", {}).headers.contains("x-ms-documentdb-query-metrics"));
}

// Clients split the text at each `;` and `=`, and take every value for a number.
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

TEST_F(QueryHeadersApiTest, IndexMetricsHaveTwoForms) {
  Answer newer = Query("SELECT * FROM c", {{"x-ms-cosmos-populateindexmetrics-V2", "True"}});
  EXPECT_TRUE(newer.headers["x-ms-cosmos-index-utilization"].starts_with("%7B%22UtilizedIndexes%22"));
  Answer older = Query("SELECT * FROM c", {{"x-ms-cosmos-populateindexmetrics", "True"}});
  const std::string begin = Base64(R"({"UtilizedSingleIndexes)").substr(0, 28);
  EXPECT_TRUE(older.headers["x-ms-cosmos-index-utilization"].starts_with(begin));
  EXPECT_FALSE(Query("SELECT * FROM c", {}).headers.contains("x-ms-cosmos-index-utilization"));
}

}  // namespace
}  // namespace lapse::api::cosmos
