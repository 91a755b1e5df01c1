// A change of the catalog with an unknown outcome, through the API: everything that depends on it answers 503 until the
// store tells what counts.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/cosmos/api_fixture.h"
#include "base/log.h"
#include "engine/shard/purge/engine_families.h"
#include "store/faulty/faulty_shard.h"

namespace lapse::api::cosmos {
namespace {

struct Request {
  std::string method;
  std::string path;
  std::string body = {};
  Headers headers = {};
};

class CatalogInDoubtTest : public ApiFixture {
 protected:
  CatalogInDoubtTest() {
    SetLogLevel(LogLevel::kOff);
    // Writes take effect but report an unknown outcome, and after that no read succeeds.
    auto shard = std::make_unique<store::FaultyShard>(
        store::FaultyOptions{.fail_after_per_mille = 1000, .read_fail_per_mille = 1000},
        engine::EngineFamilies(&purge_filter_));
    faulty_ = shard.get();
    faulty_->set_faults(false);
    api_.reset();
    engine_.reset();
    shard_ = std::move(shard);
    Restart();
    StartApi(AnyHost());
  }
  ~CatalogInDoubtTest() override {
    api_.reset();
    engine_.reset();
    SetLogLevel(LogLevel::kInfo);
  }

  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(MakeItems(R"("defaultTtl":1000)"));
    ASSERT_EQ(Send("POST", "/dbs", R"({"id":"paid"})", {{"x-ms-offer-throughput", "400"}}).status, 201);
    ASSERT_EQ(CreateItem(R"({"id":"i","pk":"p"})").status, 201);
    ASSERT_EQ(ReadItem("i").status, 200);
    const Answer offers = Send("GET", "/offers");
    ASSERT_EQ(offers.status, 200);
    // The first is the container's; the second is that of the database `paid`, which stays.
    const std::string rid = offers.At("/Offers/1/_rid");
    offer_path_ = "/offers/" + rid.substr(1, rid.size() - 2);
    offer_ = offers.At("/Offers/1");
    ASSERT_EQ(Send("GET", offer_path_).status, 200);
  }

  static std::string Definition(const std::string& id) {
    return R"({"id":")" + id + R"(","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"defaultTtl":77})";
  }
  Answer ReplaceContainer() { return Send("PUT", "/dbs/db/colls/c", Definition("c")); }

  static Request Query(const std::string& path) {
    Headers headers = {{"x-ms-documentdb-isquery", "True"},
                       {"content-type", "application/query+json"},
                       {"x-ms-documentdb-query-enablecrosspartition", "True"}};
    return {"POST", path, R"({"query":"SELECT * FROM c"})", std::move(headers)};
  }

  using Routes = std::vector<Request>;

  static void AddItemRoutes(const std::string& items, Routes* routes) {
    const Headers key = {{"x-ms-documentdb-partitionkey", R"(["p"])"}};
    const std::string item = R"({"id":"i","pk":"p"})";
    Headers upsert = key;
    upsert["x-ms-documentdb-is-upsert"] = "True";
    const std::string there = items + "/i";
    const std::string missing = items + "/none";
    routes->insert(routes->end(), {{"GET", items},
                                   {"GET", items, "", key},
                                   {"GET", items, "", {{"a-im", "Incremental feed"}}},
                                   Query(items),
                                   {"POST", items, item, key},
                                   {"POST", items, item, upsert},
                                   {"GET", there, "", key},
                                   {"PUT", there, item, key},
                                   {"DELETE", there, "", key},
                                   {"GET", missing, "", key},
                                   {"PUT", missing, R"({"id":"none","pk":"p"})", key},
                                   {"DELETE", missing, "", key}});
  }

  static void AddContainerRoutes(const std::string& containers, const std::string& name, Routes* routes) {
    const std::string path = containers + "/" + name;
    routes->insert(routes->end(), {{"GET", path},
                                   {"GET", path, "", {{"x-ms-documentdb-populatequotainfo", "True"}}},
                                   {"PUT", path, Definition(name)},
                                   {"DELETE", path},
                                   {"GET", path + "/pkranges"}});
    AddItemRoutes(path + "/docs", routes);
  }

  static void AddDatabaseRoutes(const std::string& path, Routes* routes) {
    const std::string containers = path + "/colls";
    routes->insert(routes->end(), {{"GET", path},
                                   {"DELETE", path},
                                   {"GET", containers},
                                   Query(containers),
                                   {"POST", containers, Definition("c")}});
    for (const char* name : {"c", "none"}) AddContainerRoutes(containers, name, routes);
  }

  // Every route that needs the catalog, for resources that exist and for those that do not.
  Routes EveryRoute() const {
    Routes routes = {{"GET", "/dbs"},  Query("/dbs"),        {"POST", "/dbs", R"({"id":"new"})"}, {"GET", "/offers"},
                     Query("/offers"), {"GET", offer_path_}, {"PUT", offer_path_, offer_}};
    for (const char* database : {"/dbs/db", "/dbs/none"}) AddDatabaseRoutes(database, &routes);
    return routes;
  }

  Answer Ask(const Request& request) { return Send(request.method, request.path, request.body, request.headers); }

  void ExpectInDoubt() {
    for (const Request& request : EveryRoute()) {
      const Answer answer = Ask(request);
      EXPECT_EQ(answer.status, 503) << request.method << " " << request.path << ": " << answer.body;
      EXPECT_EQ(answer.At("/code"), R"("ServiceUnavailable")") << request.method << " " << request.path;
    }
    EXPECT_EQ(Send("GET", "/").status, 200) << "the account is no part of the catalog";
  }

  // The new definition counts, and no request that was made meanwhile took effect.
  void ExpectHealed() {
    EXPECT_EQ(Send("GET", "/dbs/db/colls/c").At("/defaultTtl"), "77");
    EXPECT_EQ(Send("GET", "/dbs").At("/_count"), "2");
    EXPECT_EQ(Send("GET", "/dbs/none").status, 404);
    EXPECT_EQ(ReadItem("i").status, 200);
    EXPECT_EQ(ReadItem("none").status, 404);
    EXPECT_EQ(Send("GET", "/dbs/db/colls/c/docs").At("/_count"), "1");
    EXPECT_EQ(CreateItem(R"({"id":"later","pk":"p"})").status, 201);
  }

  store::FaultyShard* faulty_ = nullptr;
  std::string offer_path_;
  std::string offer_;
};

TEST_F(CatalogInDoubtTest, EveryRouteThatNeedsItAnswers503UntilTheSweeperAsks) {
  faulty_->set_faults(true);
  EXPECT_EQ(ReplaceContainer().status, 500);
  ExpectInDoubt();
  EXPECT_FALSE(engine_->SweepTurn());
  ExpectInDoubt();
  faulty_->set_faults(false);
  engine_->SweepTurn();
  ExpectHealed();
}

TEST_F(CatalogInDoubtTest, ACreationSettlesItToo) {
  faulty_->set_faults(true);
  EXPECT_EQ(ReplaceContainer().status, 500);
  faulty_->set_faults(false);
  EXPECT_EQ(ReadItem("i").status, 503) << "nobody has asked the store yet";
  EXPECT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 409);
  ExpectHealed();
}

TEST_F(CatalogInDoubtTest, SoDoesARestart) {
  faulty_->set_faults(true);
  EXPECT_EQ(ReplaceContainer().status, 500);
  faulty_->set_faults(false);
  api_.reset();
  Restart();
  StartApi(AnyHost());
  ExpectHealed();
}

// After a drop or a creation in doubt, neither 404 nor 409 would be true.
TEST_F(CatalogInDoubtTest, ADropAndACreationInDoubtAreNeitherThereNorGone) {
  for (const Request& change : Routes{{"DELETE", "/dbs/db/colls/c"},
                                      {"DELETE", "/dbs/db"},
                                      {"POST", "/dbs", R"({"id":"new"})"},
                                      {"PUT", offer_path_, offer_}}) {
    SCOPED_TRACE(change.method + " " + change.path);
    faulty_->set_faults(true);
    EXPECT_EQ(Ask(change).status, 500);
    ExpectInDoubt();
    faulty_->set_faults(false);
    engine_->SweepTurn();
  }
  EXPECT_EQ(Send("GET", "/dbs/db").status, 404);
  EXPECT_EQ(Send("GET", "/dbs/new").status, 200);
}

}  // namespace
}  // namespace lapse::api::cosmos
