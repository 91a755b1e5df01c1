// A page may end between two rows of one item. The next page resumes at that row, even if an item that comes before it
// was created in between.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/cosmos/api_fixture.h"

namespace lapse::query_tests {
namespace {

using api::cosmos::Answer;
using api::cosmos::Headers;

class PageWithinItemTest : public api::cosmos::ApiFixture {
 protected:
  PageWithinItemTest() {
    rate_limiting_ = engine::RateLimiting::kOff;
    api_.reset();
    Restart();
    StartApi(api::cosmos::AnyHost());
  }

  // Two containers of three partitions: one for finding keys, one for the queries.
  void SetUp() override {
    ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
    for (const std::string name : {"keys", "c"}) {
      std::string definition = R"({"id":")";
      definition += name;
      definition += R"(","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}})";
      const Headers throughput = {{"x-ms-offer-throughput", "18000"}};
      ASSERT_EQ(Send("POST", "/dbs/db/colls", definition, throughput).status, 201);
      ASSERT_EQ(Find(name)->partitions().size(), 3u);
    }
    for (int i = 0; i < 20; ++i) Add("keys", "x", "k" + std::to_string(i));
  }

  void Add(const std::string& container, const std::string& id, const std::string& key) {
    const Answer made = Send("POST", "/dbs/db/colls/" + container + "/docs",
                             R"({"id":")" + id + R"(","pk":")" + key + R"(","t":[1,2,3]})",
                             {{"x-ms-documentdb-partitionkey", R"([")" + key + R"("])"}});
    ASSERT_EQ(made.status, 201) << made.body;
  }

  // Returns a key whose items are in that partition.
  std::string KeyIn(int partition) {
    const Answer feed = Send("GET", "/dbs/db/colls/keys/docs", "",
                             {{"x-ms-documentdb-partitionkeyrangeid", std::to_string(partition)}});
    const std::string json = feed.At("/Documents/0/pk");
    return json.substr(1, json.size() - 2);
  }

  // Returns one row, and replaces the continuation by that of the next page.
  std::string NextRow(std::string* continuation, const std::string& where = "") {
    Headers headers = {{"x-ms-documentdb-isquery", "True"},
                       {"content-type", "application/query+json"},
                       {"x-ms-documentdb-query-enablecrosspartition", "True"},
                       {"x-ms-max-item-count", "1"}};
    if (!continuation->empty()) headers["x-ms-continuation"] = *continuation;
    const Answer answer = Send("POST", "/dbs/db/colls/c/docs",
                               R"({"query":"SELECT VALUE [c.id, e] FROM c JOIN e IN c.t)" + where + R"("})", headers);
    EXPECT_EQ(answer.status, 200) << answer.body;
    const auto next = answer.headers.find("x-ms-continuation");
    *continuation = next == answer.headers.end() ? "" : next->second;
    return answer.At("/Documents/0");
  }
};

TEST_F(PageWithinItemTest, RowsComeOnceWhenAnItemIsMadeBeforeThem) {
  Add("c", "a", KeyIn(0));
  Add("c", "b", KeyIn(1));
  std::string continuation;
  std::vector<std::string> rows;
  const std::string first_of_b = R"(["b",1])";
  do {
    rows.push_back(NextRow(&continuation));
  } while (rows.back() != first_of_b && rows.size() < 10);
  ASSERT_EQ(rows, (std::vector<std::string>{R"(["a",1])", R"(["a",2])", R"(["a",3])", first_of_b}));
  Add("c", "late", KeyIn(0));
  std::vector<std::string> rows_of_b;
  for (int page = 0; page < 20 && !continuation.empty(); ++page) {
    const std::string row = NextRow(&continuation);
    if (row.starts_with(R"(["b")")) rows_of_b.push_back(row);
  }
  EXPECT_EQ(rows_of_b, (std::vector<std::string>{R"(["b",2])", R"(["b",3])"}));
}

// The same with an index.
TEST_F(PageWithinItemTest, RowsComeOnceWhenAnItemBeforeThemBeginsToMatch) {
  const std::string key = KeyIn(0);
  Add("c", "a", key);
  Add("c", "b", key);
  // Enough items that a scan would cost more.
  for (int i = 0; i < 300; ++i) Add("c", "other" + std::to_string(i), key);
  const std::string where = " WHERE c.late = 1 OR c.id = 'b'";
  std::string continuation;
  ASSERT_EQ(NextRow(&continuation, where), R"(["b",1])");
  const Answer changed = Send("PUT", "/dbs/db/colls/c/docs/a", R"({"id":"a","pk":")" + key + R"(","late":1,"t":[1]})",
                              {{"x-ms-documentdb-partitionkey", R"([")" + key + R"("])"}});
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(NextRow(&continuation, where), R"(["b",2])");
  EXPECT_EQ(NextRow(&continuation, where), R"(["b",3])");
}

}  // namespace
}  // namespace lapse::query_tests
