// A container without any index. The case files cannot have one, since nothing may expire in it.
#include <gtest/gtest.h>

#include <string>

#include "api/cosmos/api_fixture.h"

namespace lapse::query_tests {
namespace {

class NoIndexTest : public api::cosmos::ApiFixture {
 protected:
  void SetUp() override {
    MakeItems(R"("indexingPolicy":{"indexingMode":"none","automatic":false})");
    ASSERT_EQ(CreateItem(R"({"id":"a","pk":"p","n":2})").status, 201);
    ASSERT_EQ(CreateItem(R"({"id":"b","pk":"p","n":1})").status, 201);
  }

  api::cosmos::Answer Ask(const std::string& query) {
    return Send("POST", "/dbs/db/colls/c/docs", R"({"query":")" + query + R"("})",
                {{"x-ms-documentdb-isquery", "True"},
                 {"content-type", "application/query+json"},
                 {"x-ms-documentdb-query-enablecrosspartition", "True"}});
  }
};

TEST_F(NoIndexTest, FiltersWork) {
  EXPECT_EQ(Ask("SELECT VALUE c.id FROM c WHERE c.n = 1").At("/Documents"), R"(["b"])");
}

TEST_F(NoIndexTest, NothingHasAnOrder) {
  for (const std::string path : {"n", "id", "_ts"}) {
    const api::cosmos::Answer answer = Ask("SELECT * FROM c ORDER BY c." + path);
    EXPECT_EQ(answer.status, 400) << path;
    EXPECT_NE(answer.body.find("order-by item is excluded"), std::string::npos) << answer.body;
  }
}

}  // namespace
}  // namespace lapse::query_tests
