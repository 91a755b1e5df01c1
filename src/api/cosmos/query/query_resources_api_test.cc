// Tests queries over databases, containers, users, permissions, offers, conflicts and client encryption keys.
#include <gtest/gtest.h>

#include <string>

#include "api/cosmos/api_fixture.h"

namespace lapse::api::cosmos {
namespace {

class QueryResourcesApiTest : public ApiFixture {
 protected:
  Answer Query(const std::string& path, const std::string& query, Headers headers = {}) {
    headers["x-ms-documentdb-isquery"] = "True";
    headers["content-type"] = "application/query+json";
    std::string body = R"({"query":)";
    doc::StringToJson(query, &body);
    return Send("POST", path, body + "}", std::move(headers));
  }

  void Make(const std::string& path, const std::string& body) {
    Answer made = Send("POST", path, body);
    ASSERT_EQ(made.status, 201) << made.body;
  }
};

TEST_F(QueryResourcesApiTest, Databases) {
  for (const char* id : {"b", "a", "c"}) Make("/dbs", R"({"id":")" + std::string(id) + "\"}");
  EXPECT_EQ(Query("/dbs", "SELECT VALUE d.id FROM d ORDER BY d.id DESC").At("/Databases"), R"(["c","b","a"])");
  Answer found = Query("/dbs", "SELECT * FROM root r WHERE r.id IN ('b', 'x')");
  EXPECT_EQ(found.body, R"({"_rid":"","Databases":[)" + Send("GET", "/dbs/b").body + R"(],"_count":1})");
  EXPECT_EQ(Query("/dbs", "SELECT VALUE COUNT(1) FROM d WHERE STARTSWITH(d.id, 'a')").At("/Databases"), "[1]");
  Answer wrong = Query("/dbs", "SELECT NO_SUCH(d.id) FROM d");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_NE(wrong.Message().find("SC2005"), std::string::npos);
}

TEST_F(QueryResourcesApiTest, PagesGoOnWhereTheyEnded) {
  for (const char* id : {"a", "b", "c"}) Make("/dbs", R"({"id":")" + std::string(id) + "\"}");
  for (const char* query : {"SELECT VALUE d.id FROM d", "SELECT VALUE d.id FROM d ORDER BY d.id"}) {
    std::string seen;
    Headers headers{{"x-ms-max-item-count", "1"}};
    for (int pages = 0; pages < 5; ++pages) {
      Answer page = Query("/dbs", query, headers);
      ASSERT_EQ(page.status, 200) << page.body;
      seen += page.At("/Databases/0");
      if (page.headers["x-ms-continuation"].empty()) break;
      headers["x-ms-continuation"] = page.headers["x-ms-continuation"];
    }
    EXPECT_EQ(seen, R"("a""b""c")") << query;
    // A continuation is valid only for its own query.
    EXPECT_EQ(Query("/dbs", "SELECT VALUE d._rid FROM d", headers).status, 400);
  }
}

TEST_F(QueryResourcesApiTest, WhatIsInADatabase) {
  MakeItems();
  Make("/dbs/db/colls", R"({"id":"e","partitionKey":{"paths":["/x"]},"defaultTtl":5})");
  EXPECT_EQ(
      Query("/dbs/db/colls", "SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.defaultTtl)").At("/DocumentCollections"),
      R"(["e"])");
  EXPECT_EQ(Query("/dbs/db/colls", "SELECT VALUE p FROM c JOIN p IN c.partitionKey.paths").At("/DocumentCollections"),
            R"(["/pk","/x"])");
  Make("/dbs/db/users", R"({"id":"u"})");
  Make("/dbs/db/users", R"({"id":"v"})");
  EXPECT_EQ(Query("/dbs/db/users", "SELECT VALUE u.id FROM u WHERE u.id != 'u'").At("/Users"), R"(["v"])");
  Make("/dbs/db/users/u/permissions", R"({"id":"p","permissionMode":"Read","resource":"dbs/db/colls/c"})");
  Answer permissions = Query("/dbs/db/users/u/permissions", "SELECT * FROM p WHERE p.permissionMode = 'Read'");
  EXPECT_EQ(permissions.At("/_count"), "1");
  EXPECT_NE(permissions.At("/Permissions/0/_token"), "");
  EXPECT_EQ(Query("/dbs/db/colls/c/conflicts", "SELECT VALUE COUNT(1) FROM c").At("/Conflicts"), "[0]");
  EXPECT_EQ(Query("/dbs/db/clientencryptionkeys", "SELECT VALUE k.id FROM k").At("/ClientEncryptionKeys"), "[]");
  EXPECT_EQ(Query("/dbs/no/colls", "SELECT * FROM c").status, 404);
  EXPECT_EQ(Query("/dbs/no/users", "SELECT * FROM c").status, 404);
}

TEST_F(QueryResourcesApiTest, Offers) {
  MakeItems();
  Make("/dbs/db/colls", R"({"id":"e","partitionKey":{"paths":["/x"]}})");
  EXPECT_EQ(Query("/offers", "SELECT VALUE SUM(o.content.offerThroughput) FROM o").At("/Offers"), "[800]");
  std::string rid = Send("GET", "/dbs/db/colls/e").At("/_rid");
  EXPECT_EQ(Query("/offers", "SELECT * FROM o WHERE o.offerResourceId = " + rid).At("/_count"), "1");
}

}  // namespace
}  // namespace lapse::api::cosmos
