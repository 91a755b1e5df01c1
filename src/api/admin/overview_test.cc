#include "api/admin/overview.h"

#include <gtest/gtest.h>

#include <string>

#include "api/admin/reports_fixture.h"
#include "base/histogram.h"
#include "engine/catalog/throughput/request_meter.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::api::admin {
namespace {

class OverviewTest : public ReportsFixture {
 protected:
  static void Spend(const engine::ContainerPtr& container, int64_t milli_ru) {
    engine::RequestMeter request;
    ASSERT_TRUE(container->Admit(&request, 0).ok());
    request.Charge(milli_ru);
  }
};

TEST_F(OverviewTest, AnEmptyServerHasAllMembers) {
  EXPECT_EQ(Get("/_lapse/overview").body,
            R"({"now":1750000000,"now_ms":1750000000000,"uptime_ms":0,"version":"1.2.3","status":"serving",)"
            R"("writes":"ok","clock":{"held":false,"ahead_ms":0,"test":false,"frozen":false},"databases":0,)"
            R"("containers":0,"requests":{"answered":0,"by_status":{"2xx":0,"3xx":0,"4xx":0,"5xx":0},"throttled":0},)"
            R"("request_units":{"spent":0.0,"provisioned":null,"left":null,"limited":false},)"
            R"("latency":{"steps_ms":[0.1,0.25,0.5,1.0,2.5,5.0,10.0,25.0,50.0,100.0,250.0,500.0,1000.0,2500.0,)"
            R"(5000.0,10000.0],"operations":[]},"storage":{"disk_bytes":null,"memory_bytes":null,"age_ms":0},)"
            R"("memory":{"resident_bytes":0,"request_bytes":0,"request_bytes_max":0},"connections":0})");
}

TEST_F(OverviewTest, TimesOfOperationsComeAsStepsAndPercentiles) {
  Histogram reads;
  for (int i = 0; i < 100; ++i) reads.Record(100'000);
  requests_.answered = {0, 0, 90, 4, 5, 1};
  requests_.operations = {{"create", {}}, {"read", reads.Read()}};
  const ReportAnswer answer = Get("/_lapse/overview");
  EXPECT_EQ(answer.At("/requests/answered"), "100");
  EXPECT_EQ(answer.At("/requests/by_status"), R"({"2xx":90,"3xx":4,"4xx":5,"5xx":1})");
  EXPECT_EQ(answer.At("/latency/operations/0"),
            R"({"operation":"create","count":0,"total_ms":0.0,"p50_ms":null,"p90_ms":null,"p99_ms":null,)"
            R"("p999_ms":null,"up_to":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]})");
  EXPECT_EQ(answer.At("/latency/operations/1/operation"), R"("read")");
  EXPECT_EQ(answer.At("/latency/operations/1/count"), "100");
  EXPECT_EQ(answer.At("/latency/operations/1/total_ms"), "10.0");
  EXPECT_EQ(answer.At("/latency/operations/1/p50_ms"), "0.05");
  EXPECT_EQ(answer.At("/latency/operations/1/p99_ms"), "0.099");
  EXPECT_EQ(answer.At("/latency/operations/1/up_to/0"), "100");
}

TEST_F(OverviewTest, RequestUnitsOfAllAreAddedUp) {
  auto& catalog = engine_->catalog_store();
  ASSERT_TRUE(catalog.CreateDatabase("shared", 1000, "").ok());
  for (const char* name : {"a", "b"}) {
    engine::ContainerDefinition definition;
    definition.name = name;
    definition.partition_key.paths = {doc::Path({"pk"})};
    ASSERT_TRUE(catalog.CreateContainer("shared", definition).ok());
  }
  Spend(MakeContainer("own", 10, 400), 100'000);
  Spend(MakeContainer("free", 10), 7'000);
  Spend(*engine_->catalog().FindContainer("shared", "b"), 250'000);
  const ReportAnswer answer = Get("/_lapse/overview");
  EXPECT_EQ(answer.At("/databases"), "2");
  EXPECT_EQ(answer.At("/containers"), "4");
  EXPECT_EQ(answer.At("/request_units"), R"({"spent":357.0,"provisioned":1400,"left":1050.0,"limited":true})")
      << "the pool that two containers share counts once";
}

TEST_F(OverviewTest, TheServersFiguresAreShown) {
  figures_ = {.disk_bytes = 1000,
              .memory_bytes = 200,
              .age_ms = 30,
              .resident_bytes = 4000,
              .request_bytes = 5,
              .request_bytes_max = 60,
              .connections = 7};
  const ReportAnswer answer = Get("/_lapse/overview");
  EXPECT_EQ(answer.At("/storage"), R"({"disk_bytes":1000,"memory_bytes":200,"age_ms":30})");
  EXPECT_EQ(answer.At("/memory"), R"({"resident_bytes":4000,"request_bytes":5,"request_bytes_max":60})");
  EXPECT_EQ(answer.At("/connections"), "7");
}

TEST_F(OverviewTest, TakesNoParameters) {
  EXPECT_EQ(Get("/_lapse/overview", "max=1").status, 400);
  EXPECT_EQ(Get("/_lapse/overview", "", "DELETE").status, 405);
}

}  // namespace
}  // namespace lapse::api::admin
