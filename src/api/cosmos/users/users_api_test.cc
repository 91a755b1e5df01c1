// Tests users and permissions as resources: created, read, listed, replaced, deleted.
#include <gmock/gmock.h>

#include <string>

#include "api/cosmos/api_fixture.h"

namespace lapse::api::cosmos {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class UsersApiTest : public ApiFixture {
 protected:
  UsersApiTest() { MakeItems(); }

  void MakeUser(const std::string& id = "u") {
    ASSERT_EQ(Send("POST", "/dbs/db/users", R"({"id":")" + id + R"("})").status, 201);
  }
  Answer Upsert(const std::string& path, const std::string& body) {
    return Send("POST", path, body, {{"x-ms-documentdb-is-upsert", "True"}});
  }
  static std::string Permission(const std::string& id, const std::string& more = "",
                                const std::string& resource = "dbs/db/colls/c") {
    return R"({"id":")" + id + R"(","permissionMode":"Read","resource":")" + resource + "\"" + more + "}";
  }
};

TEST_F(UsersApiTest, AUserFromCreationToDeletion) {
  Answer made = Send("POST", "/dbs/db/users", R"({"id":"my user","_token":"x","_permissions":"mine"})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.body, R"({"id":"my user","_rid":"AAAAAQAAAAE=","_self":"dbs/AAAAAQ==/users/AAAAAQAAAAE=/",)"
                       R"("_etag":"\"00000100-0000-0000-0000-000000000001\"","_ts":1750000000,)"
                       R"("_permissions":"permissions/"})");
  EXPECT_EQ(Send("POST", "/dbs/db/users", R"({"id":"my user"})").status, 409);
  EXPECT_EQ(Send("GET", "/dbs/db/users/my%20user").body, made.body);
  EXPECT_EQ(Send("GET", "/dbs/db/users/my%20user", "", {{"if-none-match", made.headers["etag"]}}).status, 304);
  EXPECT_EQ(Send("PUT", "/dbs/db/users/my%20user", R"({"id":"v"})", {{"if-match", "\"x\""}}).status, 412);
  Answer renamed = Send("PUT", "/dbs/db/users/my%20user", R"({"id":"v"})", {{"if-match", made.headers["etag"]}});
  EXPECT_EQ(renamed.status, 200) << renamed.body;
  EXPECT_EQ(renamed.At("/_rid"), made.At("/_rid"));
  EXPECT_NE(renamed.headers["etag"], made.headers["etag"]);
  EXPECT_EQ(Send("GET", "/dbs/db/users/my%20user").status, 404);
  EXPECT_EQ(Send("DELETE", "/dbs/db/users/v").status, 204);
  EXPECT_EQ(Send("DELETE", "/dbs/db/users/v").status, 404);
}

TEST_F(UsersApiTest, AnUpsertCreatesOrReplaces) {
  EXPECT_EQ(Upsert("/dbs/db/users", R"({"id":"u"})").status, 201);
  EXPECT_EQ(Upsert("/dbs/db/users", R"({"id":"u"})").status, 200);
  EXPECT_EQ(Upsert(kTestPermissions, Permission("p")).status, 201);
  EXPECT_EQ(Upsert(kTestPermissions, Permission("p", R"(,"resourcePartitionKey":["a"])")).status, 200);
  EXPECT_EQ(Upsert("/dbs/db/users/nobody/permissions", Permission("p")).status, 404);
}

TEST_F(UsersApiTest, FeedsAndQueries) {
  for (const char* id : {"b", "a", "c"}) MakeUser(id);
  Answer page = Send("GET", "/dbs/db/users", "", {{"x-ms-max-item-count", "2"}});
  EXPECT_EQ(page.At("/_count"), "2");
  EXPECT_EQ(page.At("/Users/0/id"), "\"a\"");
  Answer rest = Send("GET", "/dbs/db/users", "", {{"x-ms-continuation", page.headers["x-ms-continuation"]}});
  EXPECT_EQ(rest.At("/_count"), "1");
  EXPECT_FALSE(rest.headers.contains("x-ms-continuation"));
  const Headers query = {{"x-ms-documentdb-isquery", "True"}, {"content-type", "application/query+json"}};
  Answer found =
      Send("POST", "/dbs/db/users",
           R"({"query":"SELECT * FROM root r WHERE r.id=@id","parameters":[{"name":"@id","value":"b"}]})", query);
  EXPECT_EQ(found.At("/_count"), "1") << found.body;
  EXPECT_EQ(found.At("/Users/0/id"), "\"b\"");
  EXPECT_EQ(Send("POST", "/dbs/db/users", R"({"query":"SELECT * FROM r WHERE x = 1"})", query).status, 400);
  EXPECT_EQ(Send("GET", "/dbs/nowhere/users").headers["x-ms-substatus"], "1003");
  EXPECT_EQ(Send("GET", "/dbs/db/users/nobody/permissions").headers["x-ms-substatus"], "1003");
}

TEST_F(UsersApiTest, APermissionFromCreationToDeletion) {
  MakeUser();
  Answer made = Send("POST", kTestPermissions, Permission("p", R"(,"resourcePartitionKey":["a",1])"));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.At("/resource"), "\"dbs/db/colls/c\"");
  EXPECT_EQ(made.At("/permissionMode"), "\"Read\"");
  EXPECT_EQ(made.At("/resourcePartitionKey"), R"(["a",1])");
  EXPECT_EQ(made.At("/_rid"), "\"AAAAAQAAAAECAAAAAAAAAA==\"");
  EXPECT_EQ(made.At("/_self"), "\"dbs/AAAAAQ==/users/AAAAAQAAAAE=/permissions/AAAAAQAAAAECAAAAAAAAAA==/\"");
  EXPECT_THAT(made.At("/_token"), StartsWith("\"type=resource&ver=1.0&sig="));
  request_wall_.Advance(1000);
  Answer read = Send("GET", std::string(kTestPermissions) + "/p", "", {{"if-none-match", made.headers["etag"]}});
  EXPECT_EQ(read.status, 200);
  EXPECT_NE(read.At("/_token"), made.At("/_token")) << "each answer issues a token";
  Answer listed = Send("GET", kTestPermissions);
  EXPECT_EQ(listed.At("/Permissions/0/_rid"), made.At("/_rid"));
  EXPECT_THAT(listed.At("/Permissions/0/_token"), HasSubstr("type=resource"));
  EXPECT_EQ(Send("PUT", std::string(kTestPermissions) + "/p", Permission("q")).At("/id"), "\"q\"");
  EXPECT_EQ(Send("DELETE", std::string(kTestPermissions) + "/p").status, 404);
  EXPECT_EQ(Send("DELETE", std::string(kTestPermissions) + "/q").status, 204);
}

TEST_F(UsersApiTest, AUserHasOnePermissionForAResourceAndKey) {
  MakeUser();
  MakeUser("v");
  EXPECT_EQ(Send("POST", kTestPermissions, Permission("p")).status, 201);
  EXPECT_EQ(Send("POST", kTestPermissions, Permission("q", "", "/dbs/db/colls/c/")).status, 409);
  EXPECT_EQ(Send("POST", kTestPermissions, Permission("q", R"(,"resourcePartitionKey":["a"])")).status, 201);
  EXPECT_EQ(Send("POST", kTestPermissions, Permission("r", R"(,"resourcePartitionKey":["a"])")).status, 409);
  EXPECT_EQ(Send("POST", "/dbs/db/users/v/permissions", Permission("p")).status, 201);
}

TEST_F(UsersApiTest, WhatIsNoPermissionIsRefused) {
  MakeUser();
  for (const char* body :
       {R"({"id":"p"})", R"({"id":"p","permissionMode":"Read"})", R"({"id":"p","resource":"dbs/db"})",
        R"({"id":"p","permissionMode":"Write","resource":"dbs/db"})",
        R"({"id":"p","permissionMode":1,"resource":"dbs/db"})", R"({"id":"p","permissionMode":"All","resource":""})",
        R"({"id":"p","permissionMode":"All","resource":7})", R"({"permissionMode":"All","resource":"dbs/db"})",
        R"({"id":7,"permissionMode":"All","resource":"dbs/db"})", R"([])", "{", ""}) {
    EXPECT_EQ(Send("POST", kTestPermissions, body).status, 400) << body;
  }
  for (const char* key : {"\"a\"", "{}", "null", "[[1]]", R"([{"a":1}])"}) {
    Answer refused = Send("POST", kTestPermissions, Permission("p", std::string(R"(,"resourcePartitionKey":)") + key));
    EXPECT_EQ(refused.status, 400) << key;
    EXPECT_THAT(refused.Message(), HasSubstr("Partition key supplied is not valid.")) << key;
  }
  EXPECT_EQ(Send("POST", kTestPermissions, Permission("p", "", std::string(5000, 'x'))).status, 400);
  EXPECT_EQ(Send("POST", kTestPermissions, Permission("p", R"(,"x":")" + std::string(70'000, 'x') + "\"")).status, 413);
  EXPECT_EQ(Send("POST", "/dbs/db/users", R"({"id":"a/b"})").status, 400);
  EXPECT_EQ(Send("GET", kTestPermissions).At("/_count"), "0");
}

TEST_F(UsersApiTest, ATokenLivesTenMinutesToADay) {
  MakeUser();
  ASSERT_EQ(Send("POST", kTestPermissions, Permission("p")).status, 201);
  for (const char* seconds : {"599", "86401", "0", "-1", "x", "600.5", "600 ", "99999999999999999999"}) {
    const Headers headers = {{"x-ms-documentdb-expiry-seconds", seconds}};
    EXPECT_EQ(Send("GET", std::string(kTestPermissions) + "/p", "", headers).status, 400) << seconds;
    EXPECT_EQ(Send("POST", kTestPermissions, Permission("q", "", "dbs/x"), headers).status, 400) << seconds;
    EXPECT_EQ(Send("GET", kTestPermissions, "", headers).status, 400) << seconds;
  }
  for (const char* seconds : {"600", "86400"}) {
    EXPECT_EQ(Send("GET", kTestPermissions, "", {{"x-ms-documentdb-expiry-seconds", seconds}}).status, 200) << seconds;
  }
  EXPECT_EQ(Send("GET", kTestPermissions).At("/_count"), "1");
}

TEST_F(UsersApiTest, WhoMayOnlyReadGetsNoTokens) {
  MakeUser();
  Send("POST", kTestPermissions, Permission("p"));
  EXPECT_EQ(SendWithKey(kTestReadOnlyKey, "GET", "/dbs/db/users/u", "", {}).status, 200);
  EXPECT_EQ(SendWithKey(kTestReadOnlyKey, "GET", kTestPermissions, "", {}).status, 401);
  EXPECT_EQ(SendWithKey(kTestReadOnlyKey, "GET", std::string(kTestPermissions) + "/p", "", {}).status, 401);
}

}  // namespace
}  // namespace lapse::api::cosmos
