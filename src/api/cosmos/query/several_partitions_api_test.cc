// Tests queries of a whole container whose partitions have very different numbers of matches. The index finds a few
// matches. Where there are many, the page switches to a scan.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "api/cosmos/api_fixture.h"

namespace lapse::api::cosmos {
namespace {

constexpr int kPagesMax = 1000;
constexpr int kMany = 400;  // in one partition: more entries than are worth reading
constexpr int kFew = 5;

class SeveralPartitionsApiTest : public ApiFixture {
 protected:
  SeveralPartitionsApiTest() {
    rate_limiting_ = engine::RateLimiting::kOff;
    Restart();
    StartApi(AnyHost());
    EXPECT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
    EXPECT_EQ(Send("POST", "/dbs/db/colls", R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}})",
                   {{"x-ms-offer-throughput", "40000"}})
                  .status,
              201);
  }

  void Create(const std::string& key, int count, int value) {
    for (int i = 0; i < count; ++i) {
      const std::string item = R"({"id":")" + std::to_string(i) + R"(","pk":")" + key + R"(","name":")" + key + "/" +
                               std::to_string(i) + R"(","v":)" + std::to_string(value) + "}";
      ASSERT_EQ(CreateItem(item, R"([")" + key + R"("])").status, 201);
    }
  }

  // Returns how many different results all pages have, or -1 if one came twice or the pages never end.
  int Count(const std::string& query, int page_size) {
    std::set<std::string> seen;
    std::string continuation;
    for (int pages = 0; pages < kPagesMax; ++pages) {
      Headers headers = {{"x-ms-documentdb-isquery", "True"},
                         {"content-type", "application/query+json"},
                         {"x-ms-documentdb-query-enablecrosspartition", "True"},
                         {"x-ms-max-item-count", std::to_string(page_size)}};
      if (!continuation.empty()) headers["x-ms-continuation"] = continuation;
      Answer answer = Send("POST", "/dbs/db/colls/c/docs", R"({"query":")" + query + R"("})", headers);
      EXPECT_EQ(answer.status, 200) << answer.body;
      if (answer.status != 200) return -1;
      const std::string rows = answer.At("/Documents");
      for (size_t begin = rows.find('"'); begin != std::string::npos;) {
        const size_t end = rows.find('"', begin + 1);
        if (!seen.insert(rows.substr(begin, end - begin)).second) return -1;
        begin = rows.find('"', end + 1);
      }
      continuation = answer.headers["x-ms-continuation"];
      if (continuation.empty()) return static_cast<int>(seen.size());
    }
    return -1;
  }
};

TEST_F(SeveralPartitionsApiTest, PagesGoOnWhereALaterPartitionHasMany) {
  // Eight keys, so that some are in other partitions than the first. Each has a value of its own.
  for (int key = 0; key < 8; ++key) Create("key" + std::to_string(key), kMany, key);
  // Some also have a few of the values of others.
  for (int key = 0; key < 8; ++key) Create("few" + std::to_string(key), kFew, key);
  for (int page_size : {-1, 7, 100, 1000}) {
    for (int key = 0; key < 8; ++key) {
      const std::string value = std::to_string(key);
      EXPECT_EQ(Count("SELECT VALUE c.name FROM c WHERE c.v = " + value, page_size), kMany + kFew) << value;
      EXPECT_EQ(Count("SELECT VALUE c.name FROM c WHERE c.pk = 'key" + value + "'", page_size), kMany) << value;
      EXPECT_EQ(Count("SELECT TOP 150 VALUE c.name FROM c WHERE c.v = " + value, page_size), 150) << value;
    }
    EXPECT_EQ(Count("SELECT VALUE c.name FROM c WHERE c.v IN (0, 3, 9)", page_size), 2 * (kMany + kFew));
    EXPECT_EQ(Count("SELECT VALUE c.name FROM c", page_size), 8 * (kMany + kFew));
  }
}

TEST_F(SeveralPartitionsApiTest, PagesGoOnBehindPartitionsWithoutItems) {
  Create("a key", kMany, 1);
  for (int page_size : {-1, 7, 1000}) {
    EXPECT_EQ(Count("SELECT VALUE c.name FROM c WHERE c.v = 1", page_size), kMany);
    EXPECT_EQ(Count("SELECT VALUE c.name FROM c WHERE c.v >= 0", page_size), kMany);
    EXPECT_EQ(Count("SELECT VALUE c.name FROM c", page_size), kMany);
    EXPECT_EQ(Count("SELECT VALUE c.name FROM c WHERE c.v = 2", page_size), 0);
  }
}

}  // namespace
}  // namespace lapse::api::cosmos
