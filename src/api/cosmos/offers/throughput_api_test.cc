// Tests throughput through the API: offers, charges, and what happens when it is used up.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "api/cosmos/api_fixture.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::api::cosmos {
namespace {

constexpr const char* kContainer = R"("partitionKey":{"paths":["/pk"],"version":2}})";

class ThroughputApiTest : public ApiFixture {
 protected:
  void MakeDatabase(const Headers& headers = {}) {
    ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})", headers).status, 201);
  }
  void MakeContainerNamed(const std::string& name, const Headers& headers = {}) {
    Answer made = Send("POST", "/dbs/db/colls", R"({"id":")" + name + "\"," + kContainer, headers);
    ASSERT_EQ(made.status, 201) << made.body;
  }

  Answer Query(const std::string& sql, const std::string& parameters = "[]") {
    return Send("POST", "/offers", R"({"query":")" + sql + R"(","parameters":)" + parameters + "}",
                {{"x-ms-documentdb-isquery", "true"}});
  }
  // Finds an offer by the owner's link, as the SDK does. Returns its id.
  std::string OfferOf(const std::string& path) {
    std::string self = Send("GET", path).At("/_self");
    Answer found = Query("SELECT * from root where root.resource = \\\"" + self.substr(1, self.size() - 2) + "\\\"");
    EXPECT_EQ(found.status, 200) << found.body;
    std::string id = found.At("/Offers/0/id");
    return id.empty() ? "" : id.substr(1, id.size() - 2);
  }
  Answer Replace(const std::string& offer, const std::string& content, const Headers& headers = {}) {
    return Send("PUT", "/offers/" + offer, R"({"content":)" + content + "}", headers);
  }

  // Uses up the whole current second.
  void SpendAll(std::string_view container = "c") {
    engine::Budget& budget = (*engine_->catalog().FindContainer("db", container))->budget(0);
    budget.Charge(budget.Left());
  }
};

TEST_F(ThroughputApiTest, AnOfferShowsWhatWasAskedFor) {
  MakeDatabase({{"x-ms-cosmos-offer-autopilot-settings", R"({"maxThroughput":4000})"}});
  MakeContainerNamed("c", {{"x-ms-offer-throughput", "500"}});
  MakeContainerNamed("shares");
  std::string id = OfferOf("/dbs/db/colls/c");
  Answer offer = Send("GET", "/offers/" + id);
  ASSERT_EQ(offer.status, 200) << offer.body;
  EXPECT_EQ(offer.body, R"({"id":"0002","_rid":"0002","_self":"offers/0002/",)"
                        R"("_etag":"\"00000100-0000-0000-0000-000000000001\"","_ts":1750000000,)"
                        R"("resource":"dbs/AAAAAQ==/colls/AAAAAYAAAAE=/","offerResourceId":"AAAAAYAAAAE=",)"
                        R"("offerType":"Invalid","offerVersion":"V2","content":{"offerThroughput":500,)"
                        R"("offerIsRUPerMinuteThroughputEnabled":false,"offerMinimumThroughputParameters":)"
                        R"({"maxThroughputEverProvisioned":500,"maxConsumedStorageEverInKB":0}}})");
  EXPECT_EQ(offer.headers["x-ms-cosmos-min-throughput"], "400");
  Answer shared = Send("GET", "/offers/" + OfferOf("/dbs/db"));
  EXPECT_EQ(shared.At("/content/offerAutopilotSettings/maxThroughput"), "4000");
  EXPECT_EQ(shared.At("/resource"), R"("dbs/AAAAAQ==/")");
  EXPECT_EQ(OfferOf("/dbs/db/colls/shares"), "");
  Answer all = Send("GET", "/offers");
  EXPECT_EQ(all.At("/_count"), "2");
  EXPECT_EQ(Send("GET", "/offers/abcd").status, 404);
  EXPECT_EQ(Send("DELETE", "/offers/" + id).status, 405);
}

TEST_F(ThroughputApiTest, AHeaderWithoutAValueIsNone) {
  MakeDatabase();
  MakeContainerNamed("c", {{"x-ms-offer-throughput", ""}, {"x-ms-cosmos-offer-autopilot-settings", ""}});
  const std::string path = "/offers/" + OfferOf("/dbs/db/colls/c");
  const std::string offer = Send("GET", path).body;
  Headers migrations = {{"x-ms-cosmos-migrate-offer-to-autopilot", ""},
                        {"x-ms-cosmos-migrate-offer-to-manual-throughput", ""}};
  EXPECT_EQ(Send("PUT", path, offer, migrations).status, 200);
  migrations["x-ms-cosmos-migrate-offer-to-autopilot"] = "maybe";
  EXPECT_EQ(Send("PUT", path, offer, migrations).status, 400);
  for (const char* name : {"offerType", "offerVersion"}) {
    std::string wrong = offer;
    wrong.replace(wrong.find(name) + std::string_view(name).size() + 2, 1, "5,\"x\":\"");
    EXPECT_EQ(Send("PUT", path, wrong).status, 400) << wrong;
  }
}

TEST_F(ThroughputApiTest, AContainerThatAskedForNothingHasTheLeastOffer) {
  MakeDatabase();
  MakeContainerNamed("c");
  const std::string id = OfferOf("/dbs/db/colls/c");
  Answer offer = Send("GET", "/offers/" + id);
  ASSERT_EQ(offer.status, 200) << offer.body;
  EXPECT_EQ(offer.At("/content/offerThroughput"), "400");
  EXPECT_EQ(offer.At("/content/offerMinimumThroughputParameters/maxThroughputEverProvisioned"), "400");
  EXPECT_EQ(OfferOf("/dbs/db"), "") << "a database that asked for nothing has none";
  engine::ContainerPtr container = *engine_->catalog().FindContainer("db", "c");
  EXPECT_FALSE(container->budget(0).limited()) << "it is not held to it";
  EXPECT_EQ(Replace(id, R"({"offerThroughput":600})", {{"If-Match", "\"other\""}}).status, 412);
  ASSERT_EQ(Replace(id, R"({"offerThroughput":600})", {{"If-Match", offer.headers["etag"]}}).status, 200);
  EXPECT_EQ(Send("GET", "/offers/" + id).At("/content/offerThroughput"), "600");
  EXPECT_TRUE(container->budget(0).limited()) << "this one was asked for";
}

TEST_F(ThroughputApiTest, OffersComeInPagesAndByQuery) {
  MakeDatabase();
  for (const char* name : {"a", "b", "c"}) MakeContainerNamed(name, {{"x-ms-offer-throughput", "400"}});
  Answer first = Send("GET", "/offers", "", {{"x-ms-max-item-count", "2"}});
  EXPECT_EQ(first.At("/_count"), "2");
  Answer second = Send("GET", "/offers", "", {{"x-ms-continuation", first.headers["x-ms-continuation"]}});
  EXPECT_EQ(second.At("/_count"), "1");
  EXPECT_FALSE(second.headers.contains("x-ms-continuation"));

  EXPECT_EQ(Query("SELECT * FROM root").At("/_count"), "3");
  const std::string rid = Send("GET", "/dbs/db/colls/b").At("/_rid");
  EXPECT_EQ(Query("select * from root r where r.offerResourceId = @r", R"([{"name":"@r","value":)" + rid + "}]")
                .At("/_count"),
            "1");
  EXPECT_EQ(Query("SELECT * FROM c WHERE c.id='0002'").At("/_count"), "1");
  EXPECT_EQ(Query("SELECT * FROM root WHERE root.resource = 'x'").At("/Offers"), "[]");
  for (const char* wrong : {"SELECT * FROM root WHERE", "SELECT * FROM root WHERE root.id = @missing",
                            "SELECT * FROM root WHERE id = 'a'"}) {
    EXPECT_EQ(Query(wrong).status, 400) << wrong;
  }
}

TEST_F(ThroughputApiTest, AReplaceCountsAtOnce) {
  MakeDatabase({{"x-ms-offer-throughput", "400"}});
  MakeContainerNamed("c", {{"x-ms-offer-throughput", "400"}});
  MakeContainerNamed("shares");
  std::string id = OfferOf("/dbs/db/colls/c");
  std::string etag = Send("GET", "/offers/" + id).headers["etag"];
  Answer raised = Replace(id, R"({"offerThroughput":1000})", {{"if-match", etag}});
  ASSERT_EQ(raised.status, 200) << raised.body;
  EXPECT_EQ(raised.At("/content/offerThroughput"), "1000");
  EXPECT_NE(raised.headers["etag"], etag);
  EXPECT_EQ(Replace(id, R"({"offerThroughput":1100})", {{"if-match", etag}}).status, 412);
  EXPECT_EQ((*engine_->catalog().FindContainer("db", "c"))->budget(0).Left(), 1'000'000);
  ASSERT_EQ(Replace(OfferOf("/dbs/db"), R"({"offerThroughput":600})").status, 200);
  EXPECT_EQ((*engine_->catalog().FindContainer("db", "shares"))->budget(0).Left(), 600'000);

  EXPECT_EQ(Replace(id, R"({"offerAutopilotSettings":{"maxThroughput":2000}})").At("/content/offerAutopilotSettings"),
            R"({"maxThroughput":2000})");
  Answer manual = Replace(id, "{}", {{"x-ms-cosmos-migrate-offer-to-manual-throughput", "true"}});
  EXPECT_EQ(manual.At("/content/offerThroughput"), "2000") << manual.body;
  EXPECT_EQ(manual.At("/content/offerAutopilotSettings"), "");
  ASSERT_EQ(Replace(id, R"({"offerThroughput":1100})").status, 200);
  EXPECT_EQ(Replace(id, "{}", {{"x-ms-cosmos-migrate-offer-to-autopilot", "True"}})
                .At("/content/offerAutopilotSettings/maxThroughput"),
            "2000");
  EXPECT_EQ(
      Replace(id, R"({"offerThroughput":500})", {{"x-ms-cosmos-migrate-offer-to-manual-throughput", "no"}}).status,
      400);
}

TEST_F(ThroughputApiTest, AnOfferTellsTheLeastItCanBe) {
  MakeDatabase();
  MakeContainerNamed("c", {{"x-ms-offer-throughput", "500"}});
  const std::string id = OfferOf("/dbs/db/colls/c");
  EXPECT_EQ(Send("GET", "/offers/" + id).headers["x-ms-cosmos-min-throughput"], "400");
  ASSERT_EQ(Replace(id, R"({"offerAutopilotSettings":{"maxThroughput":3000}})").status, 200);
  EXPECT_EQ(Send("GET", "/offers/" + id).headers["x-ms-cosmos-min-throughput"], "1000");
}

TEST_F(ThroughputApiTest, AnOfferKnowsWhichChangeItIs) {
  MakeDatabase();
  MakeContainerNamed("c", {{"x-ms-offer-throughput", "400"}});
  const std::string id = OfferOf("/dbs/db/colls/c");
  const std::string first = Send("GET", "/offers/" + id).headers["etag"];
  PassSeconds(100);
  ASSERT_EQ(Replace(id, R"({"offerThroughput":20000})", {{"If-Match", first}}).status, 200);
  Answer back = Replace(id, R"({"offerThroughput":400})");
  EXPECT_NE(back.headers["etag"], first);
  EXPECT_EQ(back.At("/_ts"), std::to_string(kStart_s + 100));
  EXPECT_EQ(back.At("/content/offerMinimumThroughputParameters/maxThroughputEverProvisioned"), "20000");
  EXPECT_EQ(Replace(id, R"({"offerThroughput":700})", {{"If-Match", first}}).status, 412);
  EXPECT_EQ(Send("GET", "/offers/" + id).At("/content/offerThroughput"), "400");
}

TEST_F(ThroughputApiTest, WhatCannotBeHadChangesNothing) {
  MakeDatabase();
  MakeContainerNamed("c", {{"x-ms-offer-throughput", "400"}});
  std::string id = OfferOf("/dbs/db/colls/c");
  for (const char* bad :
       {"{}", "5", R"({"offerThroughput":0})", R"({"offerThroughput":399})", R"({"offerThroughput":450})",
        R"({"offerThroughput":1000100})", R"({"offerThroughput":"400"})", R"({"offerThroughput":400.5})",
        R"({"offerThroughput":99999999999999})", R"({"offerThroughput":-1})",
        R"({"offerAutopilotSettings":{"maxThroughput":1500}})", R"({"offerAutopilotSettings":{}})",
        R"({"offerAutopilotSettings":5,"offerThroughput":400})",
        R"({"offerAutopilotSettings":{"maxThroughput":4000},"offerThroughput":-5})",
        R"({"offerAutopilotSettings":{"maxThroughput":4000},"offerThroughput":"abc"})"}) {
    Answer refused = Replace(id, bad);
    EXPECT_EQ(refused.status, 400) << bad;
    EXPECT_EQ(refused.At("/code"), R"("BadRequest")");
  }
  EXPECT_EQ(
      Replace(id, R"({"offerThroughput":1})").Message(),
      R"("The offer should have valid throughput values between 400 and 1000000 inclusive in increments of 100.")");
  EXPECT_EQ(Send("PUT", "/offers/" + id, "{}").status, 400);
  EXPECT_EQ(Send("PUT", "/offers/" + id, R"({"id":"other","content":{"offerThroughput":500}})").status, 400);
  EXPECT_EQ(Send("PUT", "/offers/" + id, R"({"resource":"dbs/x/","content":{"offerThroughput":500}})").status, 400);
  EXPECT_EQ(Replace("abcd", R"({"offerThroughput":500})").status, 404);
  EXPECT_EQ(Send("GET", "/offers/" + id).At("/content/offerThroughput"), "400");
}

TEST_F(ThroughputApiTest, OverBudgetNothingIsDone) {
  MakeDatabase();
  MakeContainerNamed("c", {{"x-ms-offer-throughput", "400"}});
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p"})").status, 201);
  steady_.AdvanceMs(250);
  SpendAll();
  Headers query{{"x-ms-documentdb-isquery", "true"}, {"x-ms-documentdb-query-enablecrosspartition", "true"}};
  for (const Answer& refused : {CreateItem(R"({"id":"2","pk":"p"})"), UpsertItem(R"({"id":"1","pk":"p","v":2})"),
                                ReadItem("1"), ReadItem("none"), OneItem("PUT", "1", R"({"id":"1","pk":"p","v":3})"),
                                OneItem("DELETE", "1"), Send("GET", "/dbs/db/colls/c/docs"),
                                Send("POST", "/dbs/db/colls/c/docs", R"({"query":"SELECT * FROM c"})", query)}) {
    EXPECT_EQ(refused.status, 429);
    EXPECT_EQ(refused.headers.at("x-ms-substatus"), "3200");
    EXPECT_EQ(refused.headers.at("x-ms-retry-after-ms"), "750");
    EXPECT_EQ(refused.headers.at("x-ms-request-charge"), "0");
    EXPECT_EQ(refused.At("/code"), R"("TooManyRequests")");
    EXPECT_TRUE(refused.Message().starts_with(R"("Request rate is large.)")) << refused.body;
  }
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c").status, 200) << "metadata is not of the container's budget";
  EXPECT_EQ((*engine_->catalog().FindContainer("db", "c"))->usage().throttled.value(), 8);
  steady_.AdvanceMs(749);
  EXPECT_EQ(ReadItem("1").headers["x-ms-retry-after-ms"], "1");
  steady_.AdvanceMs(1);
  EXPECT_EQ(ReadItem("1").At("/v"), "");
  EXPECT_EQ(ReadItem("2").status, 404);
}

TEST_F(ThroughputApiTest, WhatTheAnswerSaysIsWhatIsTaken) {
  MakeDatabase();
  MakeContainerNamed("c", {{"x-ms-offer-throughput", "400"}});
  engine::ContainerPtr container = *engine_->catalog().FindContainer("db", "c");
  engine::Budget& budget = container->budget(0);
  std::string etag;
  auto expect = [&](const Answer& answer, const std::string& charge) {
    EXPECT_EQ(answer.headers.at("x-ms-request-charge"), charge) << answer.status << answer.body;
    EXPECT_EQ(400'000 - budget.Left(), std::lround(std::stod(charge) * 1000));
    etag = answer.headers.contains("etag") ? answer.headers.at("etag") : "";
    steady_.AdvanceMs(1000);
  };
  expect(CreateItem(R"({"id":"1","pk":"p","n":5})"), "5.3");
  expect(CreateItem(R"({"id":"1","pk":"p","n":5})"), "1");
  expect(CreateItem(R"({"id":"2","pk":"p","n":5,"ttl":100})"), "5.3");
  expect(UpsertItem(R"({"id":"1","pk":"p","n":5})"), "5.6");
  expect(OneItem("PUT", "1", R"({"id":"1","pk":"p","n":5})"), "5.6");
  expect(ReadItem("1"), "1");
  expect(ReadItem("1", R"(["p"])", {{"if-none-match", etag}}), "1");
  expect(ReadItem("none"), "1");
  expect(Send("GET", "/dbs/db/colls/c/docs"), "1.12");
  expect(OneItem("DELETE", "1"), "5");
  expect(OneItem("DELETE", "1"), "1");
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c").headers["x-ms-request-charge"], "1");
  EXPECT_EQ(budget.Left(), 400'000);
}

TEST_F(ThroughputApiTest, ABacklogCostsReadersNothing) {
  MakeItems(R"("defaultTtl":10)");
  for (int i = 0; i < 50; ++i)
    ASSERT_EQ(CreateItem(R"({"id":"dead)" + std::to_string(i) + R"(","pk":"p"})").status, 201);
  PassSeconds(10);
  for (int i = 0; i < 5; ++i)
    ASSERT_EQ(CreateItem(R"({"id":"live)" + std::to_string(i) + R"(","pk":"p"})").status, 201);
  Answer page = Send("GET", "/dbs/db/colls/c/docs");
  EXPECT_EQ(page.At("/_count"), "5");
  EXPECT_EQ(page.headers["x-ms-request-charge"], "1.3");
  EXPECT_EQ(UpsertItem(R"({"id":"dead1","pk":"p"})").headers["x-ms-request-charge"],
            CreateItem(R"({"id":"new","pk":"p"})").headers["x-ms-request-charge"]);
}

TEST_F(ThroughputApiTest, APageIsPaidWhereItWasRead) {
  MakeDatabase();
  MakeContainerNamed("c", {{"x-ms-offer-throughput", "12000"}});
  engine::ContainerPtr container = *engine_->catalog().FindContainer("db", "c");
  const auto& partitions = container->partitions();
  ASSERT_EQ(partitions.size(), 2U);
  for (int i = 0; i < 20; ++i) {
    std::string n = std::to_string(i);
    const std::string item = std::string(R"({"id":")").append(n).append(R"(","pk":")").append(n).append(R"("})");
    ASSERT_EQ(CreateItem(item, std::string("[\"").append(n).append("\"]")).status, 201);
  }
  steady_.AdvanceMs(1000);
  ASSERT_EQ(Send("GET", "/dbs/db/colls/c/docs", "", {{"x-ms-documentdb-partitionkeyrangeid", "1"}}).status, 200);
  EXPECT_EQ(container->budget(0).Left(), 6'000'000);
  EXPECT_LT(container->budget(1).Left(), 6'000'000);
  steady_.AdvanceMs(1000);
  ASSERT_EQ(Send("GET", "/dbs/db/colls/c/docs").headers["x-ms-request-charge"], "2.2");
  EXPECT_EQ(container->budget(0).Left(), 6'000'000 - 1'100);
  EXPECT_EQ(container->budget(1).Left(), 6'000'000 - 1'100);
  steady_.AdvanceMs(1000);
  Answer first = Send("GET", "/dbs/db/colls/c/docs", "", {{"x-ms-max-item-count", "1"}});
  EXPECT_EQ(container->budget(0).Left(), 6'000'000 - 1'060);
  container->budget(0).Charge(6'000'000);
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c/docs", "", {{"x-ms-continuation", first.headers["x-ms-continuation"]}}).status,
            429);
}

}  // namespace
}  // namespace lapse::api::cosmos
