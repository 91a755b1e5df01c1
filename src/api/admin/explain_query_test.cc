#include "api/admin/explain_query.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "doc/json.h"
#include "engine/partition/index/index_fixture.h"
#include "query/derive/item_derivation.h"
#include "query/functions/earth_cells.h"

namespace lapse::api::admin {
namespace {

class ExplainQueryTest : public engine::IndexFixture {
 protected:
  explicit ExplainQueryTest(const engine::Derivation* derivation = nullptr) : IndexFixture(derivation) {
    MakeIndexed(Policy({"a/?", "n/?"}, {"*"}));
    for (int i = 0; i < 10; ++i) Create("i" + std::to_string(i), R"({"a":1,"n":)" + std::to_string(i) + "}");
  }

  std::string Explain(const std::string& query, const std::string& more = "") {
    std::string request = R"({"database":"db","container":"c","query":)";
    doc::StringToJson(query, &request);
    Result<std::string> explained = ExplainQuery(request + more + "}", &engine_->catalog());
    if (!explained.ok()) return explained.status().ToString();
    std::string json;
    doc::ObjectToJson(*explained, &json);
    return json;
  }
};

TEST_F(ExplainQueryTest, SaysHowItemsAreFound) {
  EXPECT_EQ(Explain("SELECT * FROM c WHERE c.a = 1 AND c.b = 2"),
            R"json({"plan":"scan $0 | filter and(=($0.a, 1), =($0.b, 2)) | project $0 $1",)json"
            R"json("conditions":"(/a: 1 and /b: 2)","found_by":"entries of an index",)json"
            R"json("indexed":["/a/?"],"not_indexed":["/b/?"],"composite":[],"spatial":[]})json");
  EXPECT_NE(Explain("SELECT * FROM c ORDER BY c.n").find(R"("found_by":"the order of an index")"), std::string::npos);
  EXPECT_NE(Explain("SELECT VALUE COUNT(1) FROM c").find("the count of living items"), std::string::npos);
  EXPECT_NE(Explain("SELECT * FROM c WHERE c._ts > 5")
                .find(R"("found_by":"item numbers or the order of writes","indexed":["/_ts/?"])"),
            std::string::npos);
  EXPECT_NE(Explain("SELECT * FROM c ORDER BY c._ts").find("the order of writes"), std::string::npos);
  EXPECT_NE(Explain("SELECT * FROM c WHERE c._etag = 'x'").find(R"("found_by":"a scan","indexed":[])"),
            std::string::npos);
  EXPECT_NE(Explain("SELECT * FROM c WHERE c.n = @n", R"(,"parameters":[{"name":"@n","value":3}])").find("/n: 3"),
            std::string::npos);
}

// A container as the API for items makes it: with computed properties and spatial indexes.
class ExplainDerivedTest : public ExplainQueryTest {
 protected:
  ExplainDerivedTest() : ExplainQueryTest(&query::ItemDerivation()) {
    engine::IndexingDefinition indexing = Policy({"a/?", "cp/?"}, {"*"});
    indexing.derived = {{"cp", query::RuleOfComputed("SELECT VALUE c.a FROM c")}};
    indexing.marked = {{{"loc"}, true}};
    indexing.mark_rule = query::kCellsRule;
    const std::string properties = Bson(R"({"computedProperties":[{"name":"cp","query":"SELECT VALUE c.a FROM c"},)"
                                        R"({"name":"a","query":"SELECT VALUE c.n FROM c"}]})");
    EXPECT_TRUE(engine_->catalog_store().ReplaceContainer("db", "c", {std::nullopt, properties, 0, indexing}, 0).ok());
    while (Find("c")->state()->index_in_making.has_value()) engine_->BuildTurn();
  }
};

TEST_F(ExplainDerivedTest, KnowsComputedProperties) {
  EXPECT_NE(Explain("SELECT * FROM c WHERE c.cp = 1").find(R"("indexed":["/cp/?"],"not_indexed":[])"),
            std::string::npos);
  // The entries hold the document's own values.
  EXPECT_NE(Explain("SELECT * FROM c WHERE c.a = 1").find(R"("found_by":"a scan","indexed":[],"not_indexed":["/a/?"])"),
            std::string::npos);
}

TEST_F(ExplainDerivedTest, NamesSpatialIndexes) {
  const std::string near = ", {'type': 'Point', 'coordinates': [1, 2]}) < 30";
  const std::string explained = Explain("SELECT * FROM c WHERE ST_DISTANCE(c.loc" + near);
  EXPECT_NE(explained.find(R"("conditions":"/loc: ~within 30 m of a geometry","found_by":"entries of an index")"),
            std::string::npos)
      << explained;
  EXPECT_NE(explained.find(R"("indexed":["/loc/?"],"not_indexed":[],"composite":[],"spatial":["/loc/?"])"),
            std::string::npos)
      << explained;
  EXPECT_NE(Explain("SELECT * FROM c WHERE ST_DISTANCE(c.at" + near).find(R"("not_indexed":["/at/?"])"),
            std::string::npos);
}

TEST_F(ExplainQueryTest, RefusesWhatIsNoQuestion) {
  EXPECT_NE(Explain("SELEC").find("SC1001"), std::string::npos);
  EXPECT_NE(Explain("SELECT * FROM c ORDER BY c.b").find("is excluded"), std::string::npos);
  for (const char* request :
       {"", "{}", "[]", R"({"database":"db","container":"c"})", R"({"database":"db","container":1,"query":"SELECT 1"})",
        R"({"database":"db","container":"c","query":"SELECT 1","parameters":5})",
        R"({"database":"db","container":"c","query":"SELECT 1","parameters":[5]})"}) {
    EXPECT_EQ(ExplainQuery(request, &engine_->catalog()).status().code(), Code::kInvalidArgument) << request;
  }
  EXPECT_EQ(
      ExplainQuery(R"({"database":"db","container":"x","query":"SELECT 1"})", &engine_->catalog()).status().code(),
      Code::kNotFound);
}

}  // namespace
}  // namespace lapse::api::admin
