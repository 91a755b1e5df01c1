// Tests the routes that report on containers, and the metrics, over an engine whose time stands still until a test
// moves it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "api/admin/reports_fixture.h"

namespace lapse::api::admin {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ReportsTest : public ReportsFixture {};

TEST_F(ReportsTest, AnEmptyContainerHasAllMembers) {
  MakeContainer("c", std::nullopt);
  EXPECT_EQ(Get("/_lapse/ttl/db/c").body,
            R"({"database":"db","container":"c","now":1750000000,"now_ms":1750000000000,)"
            R"("uptime_ms":0,"clock_held":false,"policy":{"defaultTtl":null},)"
            R"("floors":{"dead":[],"purged":[]},"live":{"items":0,"bytes":0},)"
            R"("backlog":{"items":0,"bytes":0,"oldest_s":0},"deleted":{"items":0,"bytes":0},)"
            R"("purged":{"items":0,"bytes":0,"ru":0.0},)"
            R"("forecast":{"minute":{"items":0,"bytes":0},"hour":{"items":0,"bytes":0},"day":{"items":0,"bytes":0},)"
            R"("week":{"items":0,"bytes":0},"month":{"items":0,"bytes":0}},)"
            R"("next_expiry":null,"request_units":{"spent":0.0,"throttled":0,"provisioned":null,"kind":"none",)"
            R"("shared":false,"left":null,"left_over":null}})");
}

TEST_F(ReportsTest, AnItemMovesFromLiveToBacklogToPurged) {
  engine::ContainerPtr c = MakeContainer("c", 10);
  CreateMany(c, "inherits", 3);
  CreateMany(c, "own", 2, 20);
  CreateMany(c, "immortal", 1, -1);
  PassSeconds(9);
  const ReportAnswer before = Get("/_lapse/ttl/db/c");
  EXPECT_EQ(before.At("/live"), R"({"items":6,"bytes":60})");
  EXPECT_EQ(before.At("/backlog"), R"({"items":0,"bytes":0,"oldest_s":0})");
  PassSeconds(1);
  const ReportAnswer expired = Get("/_lapse/ttl/db/c");
  EXPECT_EQ(expired.At("/live"), R"({"items":3,"bytes":30})");
  EXPECT_EQ(expired.At("/backlog"), R"({"items":3,"bytes":30,"oldest_s":0})");
  PassSeconds(7);
  EXPECT_EQ(Get("/_lapse/ttl/db/c").At("/backlog"), R"({"items":3,"bytes":30,"oldest_s":7})");
  SweepAll();
  const ReportAnswer swept = Get("/_lapse/ttl/db/c");
  EXPECT_EQ(swept.At("/live"), R"({"items":3,"bytes":30})");
  EXPECT_EQ(swept.At("/backlog"), R"({"items":0,"bytes":0,"oldest_s":0})");
  EXPECT_EQ(swept.At("/purged/items"), "3");
  EXPECT_EQ(swept.At("/purged/bytes"), "30");
  EXPECT_GT(std::stod(swept.At("/purged/ru")), 0);
  EXPECT_EQ(swept.At("/floors/dead"), "[]");
  EXPECT_EQ(swept.At("/floors/purged/0/partition"), R"("0")");
  EXPECT_EQ(swept.At("/floors/purged/0/rule"), R"("inherit")");
}

TEST_F(ReportsTest, ALengthenedDefaultShowsTheDeadFloor) {
  engine::ContainerPtr c = MakeContainer("c", 10);
  CreateMany(c, "i", 1);
  PassSeconds(10);
  ASSERT_TRUE(SetDefaultTtl("c", 1000).ok());
  const ReportAnswer answer = Get("/_lapse/ttl/db/c");
  EXPECT_EQ(answer.At("/policy"), R"({"defaultTtl":1000})");
  EXPECT_EQ(answer.At("/floors/dead"), R"([{"partition":"0","rule":"inherit","base_ms":1750000000000,"sequence":1}])");
  EXPECT_EQ(answer.At("/backlog/items"), "1");
}

TEST_F(ReportsTest, TheForecastIsCumulativeAndExact) {
  engine::ContainerPtr c = MakeContainer("c", 3600);
  CreateMany(c, "minute", 1, 60);
  CreateMany(c, "later", 2, 61);
  CreateMany(c, "hour", 3);
  CreateMany(c, "day", 4, 86'400);
  CreateMany(c, "week", 5, 7 * 86'400);
  CreateMany(c, "month", 6, 30 * 86'400);
  CreateMany(c, "beyond", 7, 30 * 86'400 + 1);
  CreateMany(c, "immortal", 8, -1);
  const ReportAnswer answer = Get("/_lapse/ttl/db/c");
  EXPECT_EQ(answer.At("/forecast/minute"), R"({"items":1,"bytes":10})");
  EXPECT_EQ(answer.At("/forecast/hour"), R"({"items":6,"bytes":60})");
  EXPECT_EQ(answer.At("/forecast/day"), R"({"items":10,"bytes":100})");
  EXPECT_EQ(answer.At("/forecast/week"), R"({"items":15,"bytes":150})");
  EXPECT_EQ(answer.At("/forecast/month"), R"({"items":21,"bytes":210})");
}

TEST_F(ReportsTest, TheWhatIfCountsAndChangesNothing) {
  engine::ContainerPtr c = MakeContainer("c", std::nullopt);
  CreateMany(c, "old", 3);
  CreateMany(c, "own", 2, 50);
  PassSeconds(100);
  CreateMany(c, "new", 4);
  const uint64_t revision = c->state()->revision;
  auto would = [&](std::string_view value) {
    return Get("/_lapse/ttl/db/c", "defaultTtl=" + std::string(value)).At("/would_expire");
  };
  EXPECT_EQ(would("100"), R"({"defaultTtl":100,"items":5,"bytes":50})");
  EXPECT_EQ(would("101"), R"({"defaultTtl":101,"items":2,"bytes":20})");
  EXPECT_EQ(would("-1"), R"({"defaultTtl":-1,"items":2,"bytes":20})");
  EXPECT_EQ(would("%2D1"), R"({"defaultTtl":-1,"items":2,"bytes":20})");
  EXPECT_EQ(would("off"), R"({"defaultTtl":null,"items":0,"bytes":0})");
  EXPECT_EQ(would("null"), R"({"defaultTtl":null,"items":0,"bytes":0})");
  EXPECT_EQ(would("2147483647"), R"({"defaultTtl":2147483647,"items":2,"bytes":20})");
  EXPECT_EQ(Get("/_lapse/ttl/db/c").At("/would_expire"), "");
  EXPECT_EQ(Get("/_lapse/ttl/db/c").At("/live/items"), "9");
  EXPECT_EQ(c->state()->revision, revision);
}

TEST_F(ReportsTest, BadWhatIfsAreRefused) {
  MakeContainer("c", 10);
  for (const char* query :
       {"defaultTtl=", "defaultTtl=0", "defaultTtl=-2", "defaultTtl=1.5", "defaultTtl=60s", "defaultTtl=2147483648",
        "defaultTtl=99999999999999999999", "defaultTtl=+1", "defaultTtl=%201", "defaultTtl=%zz", "defaultTtl", "ttl=1",
        "defaultttl=1", "defaultTtl=01", "defaultTtl=-01", "defaultTtl=1&defaultTtl=2", "defaultTtl=OFF"}) {
    const ReportAnswer answer = Get("/_lapse/ttl/db/c", query);
    EXPECT_EQ(answer.status, 400) << query;
    EXPECT_EQ(answer.At("/code"), R"("BadRequest")") << query;
  }
}

TEST_F(ReportsTest, NamesMayBeEncoded) {
  MakeContainer("a b&ä%", 10);
  const ReportAnswer answer = Get("/_lapse/ttl/%64b/a%20b&%C3%a4%25");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.At("/container"), R"("a b&ä%")");
}

// A browser cannot send a path with these names, however they are encoded.
TEST_F(ReportsTest, NamesThatAreStepsInAPathMayBeParameters) {
  MakeContainer("..", 10);
  const ReportAnswer answer = Get("/_lapse/ttl", "database=d%62&container=..&defaultTtl=5&forecast=hour");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.At("/container"), R"("..")");
  EXPECT_EQ(answer.At("/would_expire/items"), "0");
  EXPECT_EQ(answer.At("/series/steps"), "60");
  EXPECT_EQ(Get("/_lapse/ttl", "database=db&container=other").status, 404);
  EXPECT_EQ(Get("/_lapse/ttl", "database=db").status, 404);
  EXPECT_EQ(Get("/_lapse/ttl", "container=..").status, 404);
  EXPECT_EQ(Get("/_lapse/ttl/db/..", "container=..").status, 400);
}

TEST_F(ReportsTest, WhatIsNotThereIs404) {
  MakeContainer("c", 10);
  for (const char* path :
       {"/_lapse/ttl/db/d", "/_lapse/ttl/other/c", "/_lapse/ttl/db", "/_lapse/ttl/", "/_lapse/ttl", "/_lapse/ttl//c",
        "/_lapse/ttl/db/", "/_lapse/ttl/db/c/", "/_lapse/ttl/db/c/d", "/_lapse/ttl/db%2Fc", "/_lapse/stats/"}) {
    const ReportAnswer answer = Get(path);
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_EQ(answer.At("/code"), R"("NotFound")") << path;
  }
  EXPECT_EQ(Get("/_lapse/ttl/other/c").At("/message"), R"("no such database")");
  EXPECT_EQ(Get("/_lapse/ttl/db/d").At("/message"), R"("no such container")");
  EXPECT_EQ(Get("/_lapse/ttl/db/%").status, 400);
  EXPECT_EQ(Get("/_lapse/ttl/db/c", "", "DELETE").status, 405);
}

TEST_F(ReportsTest, OtherMachinesShowTheKey) {
  MakeContainer("c", 10);
  for (const char* path : {"/_lapse/ttl/db/c", "/_lapse/stats", "/_lapse/ttl/db/unknown"}) {
    net::Request remote;
    remote.method = "GET";
    remote.path = path;
    remote.headers = {{"Host", "127.0.0.1:8081"}};
    auto sink = std::make_shared<net::RecordingSink>();
    api_->Handle(remote, net::Responder(sink));
    EXPECT_EQ(sink->response().status(), 401) << path;
  }
}

TEST_F(ReportsTest, AHeldClockShows) {
  MakeContainer("c", 10);
  wall_.Advance(2 * 3'600'000);
  steady_.AdvanceMs(2000);
  engine_->clock().NowMs();
  EXPECT_EQ(Get("/_lapse/ttl/db/c").At("/clock_held"), "true");
  EXPECT_EQ(Get("/_lapse/stats").At("/clock_held"), "true");
}

TEST_F(ReportsTest, StatsListContainersByName) {
  engine::ContainerPtr b = MakeContainer("b", 10);
  MakeContainer("a", std::nullopt);
  CreateMany(b, "i", 2);
  PassSeconds(11);
  const ReportAnswer answer = Get("/_lapse/stats");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.At("/now"), "1750000011");
  EXPECT_EQ(answer.At("/containers/0/container"), R"("a")");
  EXPECT_EQ(answer.At("/containers/0/defaultTtl"), "null");
  EXPECT_EQ(answer.At("/containers/1"),
            R"({"database":"db","container":"b","defaultTtl":10,"live":{"items":0,"bytes":0},)"
            R"("backlog":{"items":2,"bytes":20,"oldest_s":1},"deleted":{"items":0,"bytes":0},)"
            R"("purged":{"items":0,"bytes":0,"ru":0.0},)"
            R"("expiring":{"minute":{"items":0,"bytes":0},"hour":{"items":0,"bytes":0}},"next_expiry":null,)"
            R"("request_units":{"spent":0.0,"throttled":0,"provisioned":null,"kind":"none","shared":false,)"
            R"("left":null,"left_over":null}})");
  EXPECT_EQ(answer.At("/containers/2"), "");
  EXPECT_EQ(answer.At("/left_out"), "0");
}

TEST_F(ReportsTest, StatsAreBounded) {
  for (int i = 0; i < 502; ++i) MakeContainer("c" + std::to_string(1000 + i), 10);
  const ReportAnswer answer = Get("/_lapse/stats");
  EXPECT_EQ(answer.At("/containers/499/container"), R"("c1499")");
  EXPECT_EQ(answer.At("/containers/500"), "");
  EXPECT_EQ(answer.At("/left_out"), "2");
  std::string metrics = Get("/_lapse/metrics").body;
  EXPECT_THAT(metrics, HasSubstr("lapse_items_live{database=\"db\",container=\"c1499\"} 0\n"));
  EXPECT_THAT(metrics, Not(HasSubstr("c1500")));
  EXPECT_THAT(metrics, HasSubstr("\nlapse_containers 502\n"));
  EXPECT_THAT(metrics, HasSubstr("\nlapse_containers_left_out 2\n"));
}

TEST_F(ReportsTest, MetricsShowTheSameNumbers) {
  engine::ContainerPtr c = MakeContainer("c", 10);
  CreateMany(c, "first", 2);
  PassSeconds(10);
  SweepAll();
  CreateMany(c, "second", 3);
  PassSeconds(14);
  CreateMany(c, "third", 4);
  std::string metrics = Get("/_lapse/metrics").body;
  const std::string units = Get("/_lapse/ttl/db/c").At("/purged/ru");
  const std::string labels = "{database=\"db\",container=\"c\"} ";
  for (const std::string& line :
       {"# TYPE lapse_items_live gauge\nlapse_items_live" + labels + "4\n", "lapse_bytes_live" + labels + "40\n",
        "lapse_expired_items" + labels + "3\n", "lapse_expired_bytes" + labels + "30\n",
        "lapse_expired_oldest_seconds" + labels + "4\n",
        "# TYPE lapse_purged_items_total counter\nlapse_purged_items_total" + labels + "2\n",
        "lapse_purged_bytes_total" + labels + "20\n",
        std::string("lapse_purge_request_units_total").append(labels).append(units) + "\n"}) {
    EXPECT_THAT(metrics, HasSubstr(line));
  }
}

TEST_F(ReportsTest, ItemsOfADeletedKeyAreSeenUntilTheyAreRemoved) {
  engine::ContainerPtr c = MakeContainer("c", 10);
  CreateMany(c, "i", 3);
  c->EraseKey(Address(*c, "pk", "").key, [](const Result<engine::ItemWritten>& done) { ASSERT_TRUE(done.ok()); });
  EXPECT_EQ(Get("/_lapse/ttl/db/c").At("/deleted"), R"({"items":3,"bytes":30})");
  EXPECT_EQ(Get("/_lapse/ttl/db/c").At("/live/items"), "0");
  EXPECT_THAT(Get("/_lapse/metrics").body, HasSubstr("lapse_deleted_items{database=\"db\",container=\"c\"} 3\n"));
  SweepAll();
  EXPECT_EQ(Get("/_lapse/ttl/db/c").At("/deleted"), R"({"items":0,"bytes":0})");
  EXPECT_EQ(Get("/_lapse/ttl/db/c").At("/purged/items"), "0") << "they did not expire";
  EXPECT_EQ(Get("/_lapse/ttl/db/c").At("/purged/ru"), "0.06") << "what it cost to remove them";
}

TEST_F(ReportsTest, ADroppedContainerLeavesTheMetrics) {
  MakeContainer("gone\"\n\\", 10);
  EXPECT_THAT(Get("/_lapse/metrics").body, HasSubstr(R"(container="gone\"\n\\"})"));
  ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "gone\"\n\\", 0).ok());
  EXPECT_THAT(Get("/_lapse/metrics").body, Not(HasSubstr("gone")));
  EXPECT_THAT(Get("/_lapse/metrics").body, HasSubstr("\nlapse_containers 0\n"));
}

}  // namespace
}  // namespace lapse::api::admin
