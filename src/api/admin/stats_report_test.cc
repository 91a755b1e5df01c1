#include "api/admin/stats_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/admin/reports_fixture.h"
#include "engine/catalog/throughput/request_meter.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::api::admin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class StatsReportTest : public ReportsFixture {
 protected:
  // Returns "database/container" for each container in the response.
  static std::vector<std::string> NamesIn(const ReportAnswer& answer) {
    std::vector<std::string> names;
    for (int i = 0;; ++i) {
      const std::string at = "/containers/" + std::to_string(i);
      if (answer.At(at).empty()) return names;
      names.push_back(Text(answer.At(at + "/database")) + "/" + Text(answer.At(at + "/container")));
    }
  }

  // Removes the quotes.
  static std::string Text(const std::string& json) { return json.substr(1, json.size() - 2); }

  engine::ContainerPtr MakeIn(const std::string& database, const std::string& name,
                              engine::Throughput throughput = {}) {
    engine::ContainerDefinition definition;
    definition.name = name;
    definition.partition_key.paths = {doc::Path({"pk"})};
    definition.throughput = throughput;
    return *engine_->catalog_store().CreateContainer(database, definition);
  }
};

TEST_F(StatsReportTest, PagesListEachContainerOnce) {
  ASSERT_TRUE(engine_->catalog_store().CreateDatabase("a", 0, "").ok());
  ASSERT_TRUE(engine_->catalog_store().CreateDatabase("a b&", 0, "").ok());
  for (const char* name : {"y", "x", "z%"}) MakeIn("a", name);
  for (const char* name : {"1", "2"}) MakeIn("a b&", name);

  const ReportAnswer first = Get("/_lapse/stats", "max=2");
  EXPECT_THAT(NamesIn(first), ElementsAre("a/x", "a/y"));
  EXPECT_EQ(first.At("/existing"), "5");
  EXPECT_EQ(first.At("/left_out"), "3");
  EXPECT_EQ(first.At("/next"), R"("a/y")");
  const ReportAnswer second = Get("/_lapse/stats", "max=2&after=a%2Fy");
  EXPECT_THAT(NamesIn(second), ElementsAre("a/z%", "a b&/1"));
  EXPECT_EQ(second.At("/left_out"), "1");
  EXPECT_EQ(second.At("/next"), R"("a b&/1")");
  const ReportAnswer third = Get("/_lapse/stats", "after=a%20b%26/1&max=2");
  EXPECT_THAT(NamesIn(third), ElementsAre("a b&/2"));
  EXPECT_EQ(third.At("/left_out"), "0");
  EXPECT_EQ(third.At("/next"), "null");
}

TEST_F(StatsReportTest, APageThatIsExactlyFullIsTheLast) {
  MakeContainer("a", 10);
  MakeContainer("b", 10);
  EXPECT_EQ(Get("/_lapse/stats", "max=2").At("/next"), "null");
  const ReportAnswer beyond = Get("/_lapse/stats", "after=db/b");
  EXPECT_EQ(beyond.At("/containers"), "[]");
  EXPECT_EQ(beyond.At("/next"), "null");
  EXPECT_EQ(beyond.At("/existing"), "2");
}

TEST_F(StatsReportTest, APageGoesOnBehindAContainerThatIsGone) {
  for (const char* name : {"a", "b", "c"}) MakeContainer(name, 10);
  ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "b", 0).ok());
  EXPECT_THAT(NamesIn(Get("/_lapse/stats", "after=db/b")), ElementsAre("db/c"));
}

TEST_F(StatsReportTest, OneDatabaseAlone) {
  MakeContainer("a", 10);
  ASSERT_TRUE(engine_->catalog_store().CreateDatabase("other", 0, "").ok());
  MakeIn("other", "b");
  const ReportAnswer answer = Get("/_lapse/stats", "database=other");
  EXPECT_THAT(NamesIn(answer), ElementsAre("other/b"));
  EXPECT_EQ(answer.At("/existing"), "1");
  EXPECT_EQ(Get("/_lapse/stats", "database=nobody").status, 404);
}

TEST_F(StatsReportTest, BadParametersAreRefused) {
  for (const char* query : {"max=0", "max=501", "max=-1", "max=", "max=1.5", "max=x", "max", "max=1&max=2", "after=db",
                            "after=", "after=%zz", "top=1", "max=1&", "&max=1", "=1", "&", "MAX=1", "max=01"}) {
    const ReportAnswer answer = Get("/_lapse/stats", query);
    EXPECT_EQ(answer.status, 400) << query;
    EXPECT_EQ(answer.At("/code"), R"("BadRequest")") << query;
  }
  EXPECT_THAT(Get("/_lapse/stats", "top=1").At("/message"), HasSubstr("max, after, database"));
}

TEST_F(StatsReportTest, MoreThanFiveHundredContainersCanBeSeen) {
  for (int i = 0; i < 502; ++i) MakeContainer("c" + std::to_string(1000 + i), 10);
  const ReportAnswer first = Get("/_lapse/stats");
  EXPECT_EQ(NamesIn(first).size(), 500);
  const ReportAnswer rest = Get("/_lapse/stats", "after=" + Text(first.At("/next")));
  EXPECT_THAT(NamesIn(rest), ElementsAre("db/c1500", "db/c1501"));
}

TEST_F(StatsReportTest, SaysWhatExpiresNext) {
  engine::ContainerPtr c = MakeContainer("c", 3600);
  EXPECT_EQ(Get("/_lapse/stats").At("/containers/0/next_expiry"), "null");
  CreateMany(c, "minute", 2, 60);
  CreateMany(c, "hour", 3);
  CreateMany(c, "later", 1, 3601);
  const ReportAnswer answer = Get("/_lapse/stats");
  EXPECT_EQ(answer.At("/containers/0/expiring"), R"({"minute":{"items":2,"bytes":20},"hour":{"items":5,"bytes":50}})");
  EXPECT_EQ(answer.At("/containers/0/next_expiry"), std::to_string(kStart_s + 60));
  PassSeconds(60);
  EXPECT_EQ(Get("/_lapse/stats").At("/containers/0/next_expiry"), std::to_string(kStart_s + 3600));
  PassSeconds(3541);
  EXPECT_EQ(Get("/_lapse/stats").At("/containers/0/next_expiry"), "null");
}

TEST_F(StatsReportTest, RequestUnitsAreUsedAndLeft) {
  engine::ContainerPtr c = MakeContainer("c", 10, 400);
  engine::RequestMeter request;
  ASSERT_TRUE(c->Admit(&request, 0).ok());
  request.Charge(100'500);
  EXPECT_EQ(Get("/_lapse/stats").At("/containers/0/request_units"),
            R"({"spent":100.5,"throttled":0,"provisioned":400,"kind":"manual","shared":false,"left":299.5,)"
            R"("left_over":0.0})");
  PassSeconds(1);
  const ReportAnswer later = Get("/_lapse/ttl/db/c");
  EXPECT_EQ(later.At("/request_units"),
            R"({"spent":100.5,"throttled":0,"provisioned":400,"kind":"manual","shared":false,"left":400.0,)"
            R"("left_over":299.5})");
  EXPECT_EQ(later.At("/uptime_ms"), "1000");
}

TEST_F(StatsReportTest, SharedThroughputIsTheDatabases) {
  ASSERT_TRUE(engine_->catalog_store().CreateDatabase("sharing", engine::Throughput::Autoscale(1000), "").ok());
  MakeIn("sharing", "a");
  MakeIn("sharing", "own", 500);
  const ReportAnswer answer = Get("/_lapse/stats");
  EXPECT_EQ(answer.At("/containers/0/request_units/provisioned"), "1000");
  EXPECT_EQ(answer.At("/containers/0/request_units/kind"), R"("autoscale")");
  EXPECT_EQ(answer.At("/containers/0/request_units/shared"), "true");
  EXPECT_EQ(answer.At("/containers/0/request_units/left"), "1000.0");
  EXPECT_EQ(answer.At("/containers/1/request_units/provisioned"), "500");
  EXPECT_EQ(answer.At("/containers/1/request_units/shared"), "false");
}

}  // namespace
}  // namespace lapse::api::admin
