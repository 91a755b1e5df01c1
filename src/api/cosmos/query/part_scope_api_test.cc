// Tests queries of a part of a partition: the first levels of a hierarchical key.
#include <gtest/gtest.h>

#include <string>

#include "api/cosmos/api_fixture.h"

namespace lapse::api::cosmos {
namespace {

class PartScopeApiTest : public ApiFixture {
 protected:
  PartScopeApiTest() {
    EXPECT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
    EXPECT_EQ(Send("POST", "/dbs/db/colls",
                   R"({"id":"c","partitionKey":{"paths":["/t","/u"],"kind":"MultiHash","version":2}})")
                  .status,
              201);
    for (int i = 0; i < 300; ++i) {
      const std::string tenant = "t" + std::to_string(i % 3);
      const std::string user = "u" + std::to_string(i % 7);
      const std::string item = R"({"id":")" + std::to_string(i) + R"(","t":")" + tenant + R"(","u":")" + user +
                               R"(","n":)" + std::to_string(i) + R"(,"g":)" + std::to_string(i % 30) + "}";
      EXPECT_EQ(CreateItem(item, R"([")" + tenant + R"(",")" + user + R"("])").status, 201);
    }
  }

  // Returns all pages, each with this page size.
  std::string Ask(const std::string& query, const std::string& prefix, int page_size) {
    std::string all;
    std::string continuation;
    retrieved_ = 0;
    do {
      Headers headers = {{"x-ms-documentdb-isquery", "True"},
                         {"content-type", "application/query+json"},
                         {"x-ms-documentdb-partitionkey", prefix},
                         {"x-ms-documentdb-populatequerymetrics", "True"},
                         {"x-ms-max-item-count", std::to_string(page_size)}};
      if (!continuation.empty()) headers["x-ms-continuation"] = continuation;
      Answer answer = Send("POST", "/dbs/db/colls/c/docs", R"({"query":")" + query + R"("})", headers);
      EXPECT_EQ(answer.status, 200) << answer.body;
      const std::string documents = answer.At("/Documents");
      if (documents.size() > 2) all += (all.empty() ? "" : ",") + documents.substr(1, documents.size() - 2);
      const std::string metrics = answer.headers["x-ms-documentdb-query-metrics"];
      retrieved_ += std::stoi(metrics.substr(metrics.find('=') + 1));
      continuation = answer.headers["x-ms-continuation"];
    } while (!continuation.empty());
    return all;
  }

  int retrieved_ = 0;
};

TEST_F(PartScopeApiTest, ThePrefixOfAHierarchicalKeyIsFoundByIndex) {
  for (int page_size : {1, 2, 100}) {
    // Ten items of one tenant have the value.
    EXPECT_EQ(Ask("SELECT VALUE COUNT(1) FROM c WHERE c.g = 4", R"(["t1"])", page_size), "10");
    EXPECT_EQ(Ask("SELECT VALUE c.n FROM c WHERE c.g = 4", R"(["t0"])", page_size), "");
    EXPECT_EQ(Ask("SELECT VALUE c.n FROM c WHERE c.n IN (1, 4, 5, 7, 301)", R"(["t1"])", 100).size(), 5u);
    EXPECT_EQ(Ask("SELECT VALUE c.n FROM c WHERE c.n < 20 ORDER BY c.n", R"(["t1"])", page_size), "1,4,7,10,13,16,19");
    EXPECT_EQ(Ask("SELECT TOP 3 VALUE c.n FROM c ORDER BY c.n DESC", R"(["t1"])", page_size), "298,295,292");
  }
  Ask("SELECT VALUE c.n FROM c WHERE c.n IN (1, 4, 5, 7, 301)", R"(["t1"])", 100);
  EXPECT_EQ(retrieved_, 3);
}

TEST_F(PartScopeApiTest, PagesFollowEachOtherKeyByKey) {
  const std::string all = Ask("SELECT VALUE c.n FROM c WHERE c.g >= 28", R"(["t1"])", 100);
  for (int page_size : {1, 2, 3}) {
    EXPECT_EQ(Ask("SELECT VALUE c.n FROM c WHERE c.g >= 28", R"(["t1"])", page_size), all);
  }
  // A scan gives the same: no index knows a sum.
  EXPECT_EQ(Ask("SELECT VALUE c.n FROM c WHERE c.g + 0 >= 28", R"(["t1"])", 100), all);
}

}  // namespace
}  // namespace lapse::api::cosmos
