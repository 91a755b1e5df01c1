// Tests queries over computed properties.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "api/cosmos/api_fixture.h"
#include "engine/check/index_check.h"
#include "engine/shard/builds/index_builder.h"

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

  Answer Query(const std::string& query) {
    return Send("POST", "/dbs/db/colls/c/docs", R"({"query":")" + query + R"("})",
                {{"x-ms-documentdb-isquery", "True"},
                 {"content-type", "application/query+json"},
                 {"x-ms-documentdb-query-enablecrosspartition", "True"}});
  }
  std::string Ask(const std::string& query) { return Query(query).At("/Documents"); }
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
  EXPECT_EQ(Ask("SELECT VALUE c.id FROM c ORDER BY c.cp_sum"), R"(["3","2","1"])");
  // The other property is not named, and the wildcard does not cover it.
  EXPECT_EQ(Query("SELECT VALUE c.id FROM c ORDER BY c.cp_lower").status, 400);
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

// Has enough items to make an index worthwhile.
class IndexedComputedApiTest : public ApiFixture {
 protected:
  static constexpr int kItems = 200;
  static constexpr std::string_view kPolicy =
      R"("indexingPolicy":{"includedPaths":[{"path":"/*"},{"path":"/low/?"},{"path":"/parts/*"},{"path":"/second/?"}],)"
      R"("excludedPaths":[],"compositeIndexes":[[{"path":"/grp"},{"path":"/n","order":"descending"}]]})";

  IndexedComputedApiTest() {
    MakeItems(Computed("LOWER(c.name)") + "," + std::string(kPolicy));
    for (int i = 0; i < kItems; ++i) {
      EXPECT_EQ(CreateItem(Item(i)).status, 201);
      PassSeconds(i % 100 == 0 ? 1 : 0);
    }
  }

  // `low` is the given query. No index can have `second`.
  static std::string Computed(const std::string& low) {
    return R"("computedProperties":[{"name":"low","query":"SELECT VALUE )" + low + R"( FROM c"},)" +
           R"({"name":"parts","query":"SELECT VALUE {'n': c.n, 'list': [c.n, c.name]} FROM c"},)" +
           R"({"name":"grp","query":"SELECT VALUE c.n % 10 FROM c"},)" +
           R"({"name":"second","query":"SELECT VALUE c._ts + 1 FROM c"},)" +
           R"({"name":"unnamed","query":"SELECT VALUE c.n + 1 FROM c"}])";
  }
  static std::string Item(int i) {
    const std::string n = std::to_string(i);
    return R"({"id":")" + n + R"(","pk":"p","name":"N)" + n + R"(","low":"stored","n":)" + n + "}";
  }

  Answer AskAll(const std::string& query) {
    return Send("POST", "/dbs/db/colls/c/docs", R"({"query":")" + query + R"("})",
                {{"x-ms-documentdb-isquery", "True"},
                 {"content-type", "application/query+json"},
                 {"x-ms-documentdb-query-enablecrosspartition", "True"},
                 {"x-ms-documentdb-populatequerymetrics", "True"},
                 {"x-ms-max-item-count", "1000"}});
  }
  // Returns the results, and how many items were read for them.
  std::string Ask(const std::string& query) {
    const Answer answer = AskAll(query);
    const std::string metrics = answer.headers.at("x-ms-documentdb-query-metrics");
    return answer.At("/Documents") + " of " + metrics.substr(0, metrics.find(';')).substr(metrics.find('=') + 1);
  }
  void Replace(const std::string& members) {
    const std::string changed =
        R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},)" + members + "}";
    const Answer answer = Send("PUT", "/dbs/db/colls/c", changed);
    EXPECT_EQ(answer.status, 200) << answer.body;
  }
  void BuildIndex() {
    for (int turn = 0; turn < 100 && Find("c")->state()->index_in_making.has_value(); ++turn) {
      PassSeconds(1);
      engine_->BuildTurn();
    }
    EXPECT_FALSE(Find("c")->state()->index_in_making.has_value());
  }
  void CheckEntries() {
    const Result<engine::IndexFindings> findings = engine::CheckIndexes(*Find("c"));
    ASSERT_TRUE(findings.ok());
    EXPECT_TRUE(findings->sound()) << findings->first_problem;
  }
};

TEST_F(IndexedComputedApiTest, FiltersFindThemByEntries) {
  EXPECT_EQ(Ask("SELECT VALUE c.n FROM c WHERE c.low = 'n7'"), "[7] of 1");
  EXPECT_EQ(Ask("SELECT VALUE c.n FROM c WHERE c.low = 'stored'"), "[] of 0");
  EXPECT_EQ(Ask("SELECT VALUE c.n FROM c WHERE c.parts.n = 12"), "[12] of 1");
  EXPECT_EQ(Ask("SELECT VALUE c.n FROM c WHERE ARRAY_CONTAINS(c.parts.list, 'N9')"), "[9] of 1");
  EXPECT_EQ(Ask("SELECT VALUE COUNT(1) FROM c WHERE STARTSWITH(c.low, 'n19')"), "[11] of 11");
  EXPECT_EQ(Ask("SELECT VALUE MAX(c.low) FROM c").substr(0, 10), R"(["n99"] of)");
  CheckEntries();
}

TEST_F(IndexedComputedApiTest, WhatThePolicyDoesNotNameIsScanned) {
  EXPECT_EQ(Ask("SELECT VALUE c.n FROM c WHERE c.unnamed = 8"), "[7] of 200");
  // It changes with each write, whatever the document is.
  EXPECT_EQ(Ask("SELECT VALUE COUNT(1) FROM c WHERE c.second = " + std::to_string(kStart_s + 2)), "[100] of 200");
}

TEST_F(IndexedComputedApiTest, TheyHaveAnOrder) {
  EXPECT_EQ(Ask("SELECT TOP 2 VALUE c.n FROM c ORDER BY c.low DESC"), "[99,98] of 2");
  EXPECT_EQ(Ask("SELECT VALUE c.n FROM c WHERE c.grp = 3 AND c.n > 180"), "[183,193] of 2");
  EXPECT_EQ(Ask("SELECT TOP 3 VALUE c.n FROM c ORDER BY c.grp DESC, c.n").substr(0, 10), "[9,19,29] ");
}

TEST_F(IndexedComputedApiTest, AChangeOfADefinitionMakesAnotherIndex) {
  Replace(Computed("UPPER(c.name)") + "," + std::string(kPolicy));
  EXPECT_TRUE(Find("c")->state()->index_in_making.has_value());
  // Until then the entries are those of the old definition.
  EXPECT_EQ(Ask("SELECT VALUE c.n FROM c WHERE c.low = 'N7'"), "[7] of 200");
  EXPECT_EQ(Ask("SELECT VALUE c.n FROM c WHERE c.low = 'n7'"), "[] of 200");
  EXPECT_EQ(CreateItem(Item(kItems)).status, 201);
  BuildIndex();
  EXPECT_EQ(Ask("SELECT VALUE c.n FROM c WHERE c.low = 'N7'"), "[7] of 1");
  EXPECT_EQ(Ask("SELECT VALUE c.n FROM c WHERE c.low = 'N200'"), "[200] of 1");
  CheckEntries();
}

TEST_F(IndexedComputedApiTest, AChangeOfWhatIsNotIndexedMakesNone) {
  std::string computed = Computed("LOWER(c.name)");
  computed.replace(computed.find("c.n + 1"), 7, "c.n + 2");
  Replace(computed + "," + std::string(kPolicy));
  EXPECT_FALSE(Find("c")->state()->index_in_making.has_value());
  EXPECT_EQ(Ask("SELECT VALUE c.n FROM c WHERE c.low = 'n7'"), "[7] of 1");
}

TEST_F(IndexedComputedApiTest, WithoutTheDefinitionTheDocumentIsSeenAgain) {
  Replace(std::string(kPolicy));
  EXPECT_EQ(Ask("SELECT VALUE COUNT(1) FROM c WHERE c.low = 'stored'"), "[200] of 200");
  BuildIndex();
  EXPECT_EQ(Ask("SELECT VALUE COUNT(1) FROM c WHERE c.low = 'stored'").substr(0, 5), "[200]");
  EXPECT_EQ(Ask("SELECT VALUE c.n FROM c WHERE c.low = 'n7'"), "[] of 0");
  CheckEntries();
}

TEST_F(IndexedComputedApiTest, AValueThatIsTooLargeIsUndefined) {
  Replace(R"("computedProperties":[{"name":"low","query":"SELECT VALUE CONCAT(c.text, c.text, c.text) FROM c"}],)" +
          std::string(kPolicy));
  BuildIndex();
  const std::string text(1 << 20, 'x');
  EXPECT_EQ(CreateItem(R"({"id":"large","pk":"p","text":")" + text + R"("})").status, 201);
  EXPECT_EQ(CreateItem(R"({"id":"small","pk":"p","text":"y"})").status, 201);
  EXPECT_EQ(Ask("SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.low)"), R"(["small"] of 1)");
  EXPECT_EQ(Ask("SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.text) AND NOT IS_DEFINED(c.low)").substr(0, 9),
            R"(["large"])");
  CheckEntries();
}

}  // namespace
}  // namespace lapse::api::cosmos
