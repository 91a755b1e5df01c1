#include "api/admin/explain_query.h"

#include <gtest/gtest.h>

#include <string>

#include "doc/json.h"
#include "engine/index/index_fixture.h"

namespace lapse::api::admin {
namespace {

class ExplainQueryTest : public engine::IndexFixture {
 protected:
  ExplainQueryTest() {
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
            R"json("indexed":["/a/?"],"not_indexed":["/b/?"],"composite":[]})json");
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
