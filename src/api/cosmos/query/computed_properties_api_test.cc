// Queries over computed properties.
#include <gtest/gtest.h>

#include <string>

#include "api/cosmos/api_fixture.h"

namespace lapse::api::cosmos {
namespace {

class ComputedPropertiesApiTest : public ApiFixture {
 protected:
  ComputedPropertiesApiTest() {
    MakeItems(R"("computedProperties":[{"name":"cp_lower","query":"SELECT VALUE LOWER(c.name) FROM c"},)"
              R"({"name":"cp_sum","query":"SELECT VALUE c.a + c.b FROM c"},)"
              R"({"name":"hidden","query":"SELECT VALUE c.hidden * 10 FROM c"},)"
              R"({"name":"cp_of_cp","query":"SELECT VALUE c.cp_sum FROM c"}],)"
              R"("indexingPolicy":{"includedPaths":[{"path":"/*"},{"path":"/cp_sum/?"}],"excludedPaths":[]})");
    EXPECT_EQ(CreateItem(R"({"id":"1","pk":"p","name":"ANN","a":3,"b":4,"hidden":1})").status, 201);
    EXPECT_EQ(CreateItem(R"({"id":"2","pk":"p","name":"Bob","a":1,"b":1,"hidden":2})").status, 201);
    EXPECT_EQ(CreateItem(R"({"id":"3","pk":"p","name":5})").status, 201);
  }

  std::string Ask(const std::string& query) {
    return Send("POST", "/dbs/db/colls/c/docs", R"({"query":")" + query + R"("})",
                {{"x-ms-documentdb-isquery", "True"},
                 {"content-type", "application/query+json"},
                 {"x-ms-documentdb-query-enablecrosspartition", "True"}})
        .At("/Documents");
  }
};

TEST_F(ComputedPropertiesApiTest, AreSeenByName) {
  EXPECT_EQ(Ask("SELECT c.id, c.cp_lower, c.cp_sum FROM c"),
            R"([{"id":"1","cp_lower":"ann","cp_sum":7},{"id":"2","cp_lower":"bob","cp_sum":2},{"id":"3"}])");
  EXPECT_EQ(Ask("SELECT VALUE c.id FROM c WHERE c.cp_lower = 'bob'"), R"(["2"])");
  EXPECT_EQ(Ask("SELECT VALUE c.id FROM c WHERE c['cp_sum'] > 1"), R"(["1","2"])");
  EXPECT_EQ(Ask("SELECT VALUE c.id FROM c WHERE NOT IS_DEFINED(c.cp_sum)"), R"(["3"])");
  EXPECT_EQ(Ask("SELECT c.cp_sum AS s, COUNT(1) AS n FROM c WHERE c.cp_sum = 7 GROUP BY c.cp_sum"),
            R"([{"s":7,"n":1}])");
  EXPECT_EQ(Ask("SELECT VALUE SUM(c.cp_sum) FROM c"), "[9]");
  EXPECT_EQ(Ask("SELECT VALUE MAX(c.cp_sum) FROM c"), "[7]");
}

TEST_F(ComputedPropertiesApiTest, HaveAnOrderAsThePolicySays) {
  // The policy names the one, and has the other by its wildcard alone.
  EXPECT_EQ(Ask("SELECT VALUE c.id FROM c ORDER BY c.cp_sum"), R"(["3","2","1"])");
  EXPECT_EQ(Ask("SELECT VALUE c.id FROM c ORDER BY c.cp_lower DESC"), R"(["2","1"])");
}

TEST_F(ComputedPropertiesApiTest, AreNoPartOfTheWholeItem) {
  const std::string whole = Ask("SELECT * FROM c WHERE c.cp_sum = 7");
  EXPECT_EQ(whole.find("cp_"), std::string::npos) << whole;
  EXPECT_NE(whole.find(R"("hidden":1)"), std::string::npos) << whole;
}

TEST_F(ComputedPropertiesApiTest, HideWhatTheDocumentHas) {
  EXPECT_EQ(Ask("SELECT VALUE c.hidden FROM c"), "[10,20]");
  EXPECT_EQ(Ask("SELECT VALUE c.id FROM c WHERE c.hidden = 20"), R"(["2"])");
  EXPECT_EQ(Ask("SELECT VALUE c.id FROM c WHERE c.hidden = 2"), "[]");
}

TEST_F(ComputedPropertiesApiTest, DoNotSeeEachOther) {
  EXPECT_EQ(Ask("SELECT VALUE c.cp_of_cp FROM c"), "[]");
}

TEST_F(ComputedPropertiesApiTest, FollowAChangeOfTheDefinition) {
  const std::string changed = R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},)"
                              R"("computedProperties":[{"name":"cp_sum","query":"SELECT VALUE c.a * c.b FROM c"}]})";
  ASSERT_EQ(Send("PUT", "/dbs/db/colls/c", changed).status, 200);
  EXPECT_EQ(Ask("SELECT VALUE c.cp_sum FROM c"), "[12,1]");
  EXPECT_EQ(Ask("SELECT VALUE c.cp_lower FROM c"), "[]");
  EXPECT_EQ(Ask("SELECT VALUE c.hidden FROM c"), "[1,2]");
}

}  // namespace
}  // namespace lapse::api::cosmos
