// Throughput: its limits, and how the catalog stores it.
#include "engine/records/definitions/throughput.h"

#include <gtest/gtest.h>

#include "engine/catalog/throughput/request_meter.h"
#include "engine/engine_fixture.h"

namespace lapse::engine {
namespace {

TEST(ThroughputTest, KnowsWhatCanBeHad) {
  EXPECT_TRUE(Throughput().Check().ok());
  for (int good : {400, 500, 10'000, 1'000'000}) EXPECT_TRUE(Throughput(good).Check().ok()) << good;
  for (int bad : {-400, 1, 399, 450, 1'000'100}) EXPECT_FALSE(Throughput(bad).Check().ok()) << bad;
  for (int good : {1000, 4000, 1'000'000}) EXPECT_TRUE(Throughput::Autoscale(good).Check().ok()) << good;
  for (int bad : {0, -1000, 400, 1500, 1'001'000}) EXPECT_FALSE(Throughput::Autoscale(bad).Check().ok()) << bad;
}

TEST(ThroughputTest, PartitionsHaveEqualShares) {
  EXPECT_EQ(PartitionsFor(Throughput()), 1U);
  EXPECT_EQ(PartitionsFor(10'000), 1U);
  EXPECT_EQ(PartitionsFor(10'100), 2U) << "one for each 6,000 begun";
  EXPECT_EQ(PartitionsFor(12'000), 2U);
  EXPECT_EQ(PartitionsFor(12'100), 3U);
  EXPECT_EQ(PartitionsFor(21'000), 4U);
  EXPECT_EQ(PartitionsFor(Throughput::Autoscale(1'000'000)), 167U);
  EXPECT_EQ(MilliRuPerPartition(30'000, RateLimiting::kExplicit, 3), 10'000'000);
  EXPECT_EQ(MilliRuPerPartition(30'000, RateLimiting::kOff, 3), 0);
  EXPECT_EQ(MilliRuPerPartition(Throughput(), RateLimiting::kExplicit, 1), 0);
  EXPECT_EQ(MilliRuPerPartition(Throughput(), RateLimiting::kOn, 1), 400'000);
}

class CatalogThroughputTest : public EngineFixture {
 protected:
  static int64_t LeftOf(const ContainerPtr& container) { return container->budget(0).Left(); }
};

TEST_F(CatalogThroughputTest, EachPartitionHasItsShareAlsoAfterARestart) {
  MakeContainer("own", std::nullopt, 18'000);
  MakeContainer("none", std::nullopt);
  for (int start = 0; start < 2; ++start, Restart()) {
    ContainerPtr own = Find("own");
    ASSERT_EQ(own->partitions().size(), 3U);
    for (size_t i = 0; i < own->partitions().size(); ++i) EXPECT_EQ(own->budget(i).Left(), 18'000'000 / 3);
    EXPECT_FALSE(Find("none")->budget(0).limited());
    EXPECT_EQ(own->state()->definition.throughput, Throughput(18'000));
  }
}

TEST_F(CatalogThroughputTest, AContainerWithoutItsOwnSharesTheDatabases) {
  ASSERT_TRUE(engine_->catalog_store().CreateDatabase("db", Throughput::Autoscale(4000), "").ok());
  MakeContainer("a", std::nullopt);
  MakeContainer("b", std::nullopt);
  MakeContainer("own", std::nullopt, 400);
  for (int start = 0; start < 2; ++start, Restart()) {
    EXPECT_EQ((*engine_->catalog().FindDatabase("db"))->throughput, Throughput::Autoscale(4000));
    Find("a")->budget(0).Charge(1'000'000);
    EXPECT_EQ(LeftOf(Find("b")), 3'000'000);
    EXPECT_EQ(LeftOf(Find("own")), 400'000);
  }
}

TEST_F(CatalogThroughputTest, AChangeCountsAtOnceAndStays) {
  ASSERT_TRUE(engine_->catalog_store().CreateDatabase("db", 400, "").ok());
  ContainerPtr own = MakeContainer("own", 60, 12'000);
  ContainerPtr shares = MakeContainer("shares", std::nullopt);
  const uint64_t revision = own->state()->revision;
  ASSERT_TRUE(engine_->catalog_store().SetContainerThroughput("db", "own", Throughput::Autoscale(50'000), 0).ok());
  ASSERT_TRUE(engine_->catalog_store().SetDatabaseThroughput("db", 1000, 0).ok());
  EXPECT_EQ(own->state()->revision, revision) << "the definition has not changed";
  EXPECT_EQ(LeftOf(own), 25'000'000) << "no partition is added: those that are there share it";
  EXPECT_EQ(LeftOf(shares), 1'000'000);
  Restart();
  EXPECT_EQ(LeftOf(Find("own")), 25'000'000);
  EXPECT_EQ(LeftOf(Find("shares")), 1'000'000);
  EXPECT_EQ(Find("own")->state()->policy.default_ttl, 60);
}

TEST_F(CatalogThroughputTest, ChangesAreCountedAndCanBeConditional) {
  ASSERT_TRUE(engine_->catalog_store().CreateDatabase("db", 400, "").ok());
  ContainerPtr own = MakeContainer("own", std::nullopt, 400);
  EXPECT_EQ(own->state()->throughput_changes, (ThroughputChanges{.revision = 1, .last_s = kStart_s, .ru_most = 400}));
  PassSeconds(10);
  for (int ru : {20'000, 400}) {
    ASSERT_TRUE(engine_->catalog_store()
                    .SetContainerThroughput("db", "own", ru, own->state()->throughput_changes.revision)
                    .ok());
    ASSERT_TRUE(engine_->catalog_store().SetDatabaseThroughput("db", ru, 0).ok());
  }
  CatalogStore& catalog = engine_->catalog_store();
  EXPECT_EQ(catalog.SetContainerThroughput("db", "own", 500, 1).status().code(), Code::kPreconditionFailed);
  EXPECT_EQ(catalog.SetDatabaseThroughput("db", 500, 1).status().code(), Code::kPreconditionFailed);
  const ThroughputChanges changes{.revision = 3, .last_s = kStart_s + 10, .ru_most = 20'000};
  for (int start = 0; start < 2; ++start, Restart()) {
    EXPECT_EQ(Find("own")->state()->throughput_changes, changes);
    EXPECT_EQ((*engine_->catalog().FindDatabase("db"))->throughput_changes, changes);
  }
}

TEST_F(CatalogThroughputTest, AContainerWithoutThroughputGetsItsFirst) {
  ContainerPtr c = MakeContainer("c", std::nullopt);
  EXPECT_FALSE(c->budget(0).limited());
  ASSERT_TRUE(engine_->catalog_store().SetContainerThroughput("db", "c", 500, 0).ok());
  EXPECT_TRUE(c->budget(0).limited());
  Restart();
  EXPECT_EQ(Find("c")->state()->definition.throughput, Throughput(500));
}

TEST_F(CatalogThroughputTest, WhatCannotBeHadChangesNothing) {
  ContainerPtr own = MakeContainer("own", std::nullopt, 400);
  CatalogStore& catalog = engine_->catalog_store();
  for (Throughput bad : {Throughput(), Throughput(450), Throughput::Autoscale(400)}) {
    EXPECT_EQ(catalog.SetContainerThroughput("db", "own", bad, 0).status().code(), Code::kInvalidArgument);
  }
  EXPECT_EQ(own->state()->definition.throughput, Throughput(400));
  ASSERT_TRUE(catalog.CreateDatabase("sharing", 400, "").ok());
  ContainerDefinition shares;
  shares.name = "shares";
  shares.partition_key.paths = {doc::Path({"pk"})};
  ASSERT_TRUE(catalog.CreateContainer("sharing", shares).ok());
  EXPECT_EQ(catalog.SetContainerThroughput("sharing", "shares", 400, 0).status().code(), Code::kNotFound);
  EXPECT_EQ(catalog.SetContainerThroughput("db", "missing", 400, 0).status().code(), Code::kNotFound);
  EXPECT_EQ(catalog.SetDatabaseThroughput("db", 400, 0).status().code(), Code::kNotFound);
  EXPECT_EQ(catalog.CreateDatabase("other", 450, "").status().code(), Code::kInvalidArgument);
  EXPECT_EQ(engine_->catalog().FindDatabase("other").status().code(), Code::kNotFound);
}

TEST_F(CatalogThroughputTest, AMeterChargesThePartitionsThatWereWalked) {
  ContainerPtr c = MakeContainer("c", std::nullopt, 18'000);
  RequestMeter page;
  ASSERT_TRUE(c->Admit(&page, 1).ok());
  page.ExtendTo(2);
  page.Charge(1001);
  EXPECT_EQ(c->budget(0).Left(), 6'000'000);
  EXPECT_EQ(c->budget(1).Left(), 6'000'000 - 501);
  EXPECT_EQ(c->budget(2).Left(), 6'000'000 - 500);
  EXPECT_EQ(c->usage().milli_ru.value(), 1001);

  c->budget(0).Charge(6'000'000);
  RequestMeter refused;
  EXPECT_EQ(c->Admit(&refused, 0).code(), Code::kThrottled);
  EXPECT_EQ(refused.retry_after_ms(), 1000);
  refused.Charge(5000);
  EXPECT_EQ(c->usage().milli_ru.value(), 1001) << "who was not let in pays nothing";
  EXPECT_EQ(c->usage().throttled.value(), 1);
}

}  // namespace
}  // namespace lapse::engine
