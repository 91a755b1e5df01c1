// Tests queries whose items a spatial index finds.
#include <gtest/gtest.h>

#include <string>

#include "api/cosmos/api_fixture.h"
#include "engine/check/index_check.h"

namespace lapse::api::cosmos {
namespace {

// Has one item for each degree of the equator, and some elsewhere.
class SpatialIndexApiTest : public ApiFixture {
 protected:
  SpatialIndexApiTest() {
    MakeItems(R"("indexingPolicy":{"includedPaths":[{"path":"/*"}],"excludedPaths":[],"spatialIndexes":[)"
              R"({"path":"/loc/?","types":["Point","Polygon"]},{"path":"/made/?","types":["Point"]}]},)"
              R"("computedProperties":[{"name":"made",)"
              R"("query":"SELECT VALUE {'type': 'Point', 'coordinates': [c.x, c.y]} FROM c"}])");
    for (int degree = -180; degree < 180; ++degree) Add(std::to_string(degree), Point(std::to_string(degree), "0"));
    Add("north", Point("17", "90"));
    Add("line", R"({"type":"LineString","coordinates":[[170,10],[-170,10]]})");
    Add("box", R"({"type":"Polygon","coordinates":[[[40,40],[42,40],[42,42],[40,42],[40,40]]]})");
    Add("none", R"({"type":"Point","coordinates":[200,0]})");
    Add("text", R"("nowhere")");
    EXPECT_EQ(CreateItem(R"({"id":"made","pk":"p","x":5,"y":50})").status, 201);
  }

  static std::string Point(const std::string& longitude, const std::string& latitude) {
    return R"({"type":"Point","coordinates":[)" + longitude + "," + latitude + "]}";
  }
  void Add(const std::string& id, const std::string& loc) {
    EXPECT_EQ(CreateItem(R"({"id":")" + id + R"(","pk":"p","loc":)" + loc + "}").status, 201);
  }
  Answer Send(const std::string& where, Headers headers = {}) {
    std::string query = "SELECT VALUE c.id FROM c WHERE " + where;
    std::string body = R"({"query":)";
    doc::StringToJson(query, &body);
    headers.insert({{"x-ms-documentdb-isquery", "True"},
                    {"content-type", "application/query+json"},
                    {"x-ms-documentdb-query-enablecrosspartition", "True"},
                    {"x-ms-documentdb-populatequerymetrics", "True"},
                    {"x-ms-max-item-count", "1000"}});
    return ApiFixture::Send("POST", "/dbs/db/colls/c/docs", body + "}", headers);
  }
  // Returns the results, and whether only some items were read.
  std::string Ask(const std::string& where) {
    const Answer answer = Send(where);
    const std::string metrics = answer.headers.at("x-ms-documentdb-query-metrics");
    const int looked_at = std::stoi(metrics.substr(metrics.find('=') + 1));
    return answer.At("/Documents") + (looked_at < 100 ? "" : " by a scan");
  }
};

TEST_F(SpatialIndexApiTest, FindsWhatIsNear) {
  EXPECT_EQ(Ask("ST_DISTANCE(c.loc, {'type':'Point','coordinates':[7.1, 0]}) < 20000"), R"(["7"])");
  EXPECT_EQ(Ask("ST_DISTANCE({'type':'Point','coordinates':[7.1, 0]}, c.loc) <= 120000"), R"(["7","8"])");
  EXPECT_EQ(Ask("20000 > ST_DISTANCE(c.loc, {'type':'Point','coordinates':[7.1, 0]})"), R"(["7"])");
  EXPECT_EQ(Ask("ST_DISTANCE(c.loc, {'type':'Point','coordinates':[7, 0]}) BETWEEN 1 AND 112000"), R"(["6","8"])");
}

TEST_F(SpatialIndexApiTest, PolesAndTheAntimeridianArePlacesLikeOthers) {
  EXPECT_EQ(Ask("ST_DISTANCE(c.loc, {'type':'Point','coordinates':[179.9, 0]}) < 120000"), R"(["-180","179"])");
  EXPECT_EQ(Ask("ST_DISTANCE(c.loc, {'type':'Point','coordinates':[180, 10]}) < 100000"), R"(["line"])");
  EXPECT_EQ(Ask("ST_DISTANCE(c.loc, {'type':'Point','coordinates':[-100, 89.9]}) < 20000"), R"(["north"])");
  EXPECT_EQ(Ask("ST_WITHIN(c.loc, {'type':'Polygon','coordinates':[[[0,80],[90,80],[180,80],[-90,80],[0,80]]]})"),
            R"(["north"])");
}

TEST_F(SpatialIndexApiTest, FindsWhatIsWithinOrShares) {
  const std::string around = "{'type':'Polygon','coordinates':[[[-3.5,-1],[-1.5,-1],[-1.5,1],[-3.5,1],[-3.5,-1]]]}";
  EXPECT_EQ(Ask("ST_WITHIN(c.loc, " + around + ")"), R"(["-3","-2"])");
  EXPECT_EQ(Ask("ST_WITHIN(c.loc, " + around + ") = true"), R"(["-3","-2"])");
  EXPECT_EQ(Ask("ST_INTERSECTS(c.loc, {'type':'Point','coordinates':[41, 41]})"), R"(["box"])");
  EXPECT_EQ(Ask("ST_WITHIN({'type':'Point','coordinates':[41, 41]}, c.loc)"), R"(["box"])");
  EXPECT_EQ(Ask("ST_INTERSECTS(c.loc, {'type':'LineString','coordinates':[[180, 5], [180, 20]]})"), R"(["line"])");
  EXPECT_EQ(Ask("ST_INTERSECTS(c.loc, " + around + ") AND c.id != '-3'"), R"(["-2"])");
}

TEST_F(SpatialIndexApiTest, AComputedPropertyMayBeAPlace) {
  EXPECT_EQ(Ask("ST_DISTANCE(c.made, {'type':'Point','coordinates':[5, 50]}) < 10"), R"(["made"])");
}

TEST_F(SpatialIndexApiTest, WhatNoCellsSayIsScanned) {
  EXPECT_EQ(Ask("ST_DISTANCE(c.loc, {'type':'Point','coordinates':[-163, 0]}) > 20003000"), R"(["17"] by a scan)");
  EXPECT_EQ(Ask("ST_DISTANCE(c.loc, {'type':'Point','coordinates':[500, 0]}) < 10"), "[] by a scan");
  EXPECT_EQ(Ask("ST_DISTANCE(c.other, {'type':'Point','coordinates':[0, 0]}) < 10"), "[] by a scan");
}

TEST_F(SpatialIndexApiTest, ItemsThatChangeAreFoundWhereTheyAre) {
  const Answer moved =
      ApiFixture::Send("PUT", "/dbs/db/colls/c/docs/7", R"({"id":"7","pk":"p","loc":)" + Point("7.5", "0.5") + "}",
                       {{"x-ms-documentdb-partitionkey", R"(["p"])"}});
  EXPECT_EQ(moved.status, 200);
  EXPECT_EQ(Ask("ST_DISTANCE(c.loc, {'type':'Point','coordinates':[7, 0]}) < 20000"), "[]");
  EXPECT_EQ(Ask("ST_DISTANCE(c.loc, {'type':'Point','coordinates':[7.5, 0.5]}) < 20000"), R"(["7"])");
  const Result<engine::IndexFindings> findings = engine::CheckIndexes(*Find("c"));
  ASSERT_TRUE(findings.ok());
  EXPECT_TRUE(findings->sound()) << findings->first_problem;
}

TEST_F(SpatialIndexApiTest, TheMetricsSayWhichIndexWasUsed) {
  const Headers wanted = {{"x-ms-cosmos-populateindexmetrics-v2", "True"}};
  const std::string here = ", {'type':'Point','coordinates':[0, 0]}) < 10";
  const std::string used = Send("ST_DISTANCE(c.loc" + here, wanted).headers.at("x-ms-cosmos-index-utilization");
  EXPECT_NE(used.find("%2Floc%2F%3F"), std::string::npos) << used;
  EXPECT_LT(used.find("%2Floc%2F%3F"), used.find("PotentialIndexes"));
  const std::string unused = Send("ST_DISTANCE(c.other" + here, wanted).headers.at("x-ms-cosmos-index-utilization");
  EXPECT_GT(unused.find("%2Fother%2F%3F"), unused.find("PotentialIndexes"));
}

}  // namespace
}  // namespace lapse::api::cosmos
