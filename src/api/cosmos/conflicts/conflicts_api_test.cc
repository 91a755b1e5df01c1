#include <gtest/gtest.h>

#include "api/cosmos/api_fixture.h"

namespace lapse::api::cosmos {
namespace {

constexpr char kConflicts[] = "/dbs/db/colls/c/conflicts";

class ConflictsApiTest : public ApiFixture {
 protected:
  ConflictsApiTest() { MakeItems(); }
};

TEST_F(ConflictsApiTest, TheFeedIsEmpty) {
  Answer feed = Send("GET", kConflicts);
  EXPECT_EQ(feed.status, 200);
  EXPECT_EQ(feed.body, R"({"_rid":"AAAAAYAAAAE=","Conflicts":[],"_count":0})");
  EXPECT_EQ(feed.headers["x-ms-item-count"], "0");
  Answer query = Send("POST", kConflicts, R"({"query":"SELECT * FROM c"})", {{"x-ms-documentdb-isquery", "True"}});
  EXPECT_EQ(query.body, feed.body);
  EXPECT_EQ(Send("GET", "/dbs/db/colls/nowhere/conflicts").status, 404);
}

TEST_F(ConflictsApiTest, ThereIsNoConflictToReadOrDelete) {
  EXPECT_EQ(Send("GET", std::string(kConflicts) + "/x").status, 404);
  EXPECT_EQ(Send("DELETE", std::string(kConflicts) + "/x").status, 404);
  EXPECT_EQ(Send("POST", kConflicts, "{}").status, 405);
}

}  // namespace
}  // namespace lapse::api::cosmos
