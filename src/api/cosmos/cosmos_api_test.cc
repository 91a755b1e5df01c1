// Tests the checks that precede any lookup of a resource: signature, names, paths, and the rest of a request's head.
#include "api/cosmos/cosmos_api.h"

#include <gmock/gmock.h>

#include "api/cosmos/api_fixture.h"

namespace lapse::api::cosmos {
namespace {

using ::testing::HasSubstr;

class CosmosApiTest : public ApiFixture {};

TEST_F(CosmosApiTest, ABodyIsWantedFromWhoSigned) {
  EXPECT_EQ(SendHead("POST", "/dbs", Signed("POST", "dbs", "")).status, 0);
  EXPECT_EQ(SendHead("PUT", "/dbs/d/colls/c/docs/i", Signed("PUT", "docs", "dbs/d/colls/c/docs/i")).status, 0);
}

TEST_F(CosmosApiTest, TheHeadAloneIsRefusedAsTheWholeRequestIs) {
  Headers strong = Signed("POST", "dbs", "");
  strong["x-ms-consistency-level"] = "Strong";
  Headers read_only = Signed("POST", "dbs", "");
  read_only["authorization"] =
      "type=master&ver=1.0&sig=" + Authenticator::Create(kTestReadOnlyKey, "")->Sign({"POST", "dbs", ""}, kTestDate);
  struct Case {
    std::string path;
    Headers headers;
    int status;
  };
  for (const Case& c : {Case{"/dbs", {}, 401}, Case{"/dbs", Signed("POST", "dbs", "dbs/other"), 401},
                        Case{"/dbs", Signed("GET", "dbs", ""), 401}, Case{"/nothing", Signed("POST", "dbs", ""), 404},
                        Case{"/dbs", strong, 400}, Case{"/dbs", read_only, 401}}) {
    const Answer head = SendHead("POST", c.path, c.headers);
    const Answer whole = SendRaw("POST", c.path, R"({"id":"db"})", c.headers);
    EXPECT_EQ(head.status, c.status) << c.path;
    EXPECT_EQ(whole.status, c.status) << c.path;
    EXPECT_EQ(Answer::WithoutActivity(head.body), Answer::WithoutActivity(whole.body));
    EXPECT_EQ(head.headers.at("x-ms-request-charge"), whole.headers.at("x-ms-request-charge"));
    EXPECT_TRUE(head.headers.contains("x-ms-activity-id"));
  }
}

TEST_F(CosmosApiTest, NewKeysCountAtOnceAndOldOnesNoMore) {
  EXPECT_EQ(SendWithKey(kTestSecondaryKey, "GET", "/dbs", "", {}).status, 200);
  EXPECT_EQ(SendWithKey(kTestSecondaryReadOnlyKey, "GET", "/dbs", "", {}).status, 200);
  EXPECT_EQ(SendWithKey(kTestSecondaryReadOnlyKey, "POST", "/dbs", R"({"id":"db"})", {}).status, 401);
  AccountKeys keys = TestKeys();
  keys.primary = "bmV3IHByaW1hcnk=";
  keys.secondary_read_only = "";
  ASSERT_TRUE(api_->ReplaceKeys(keys, AnyHost()).ok());
  EXPECT_EQ(SendWithKey(kTestAccountKey, "GET", "/dbs", "", {}).status, 401);
  EXPECT_EQ(SendWithKey(keys.primary, "GET", "/dbs", "", {}).status, 200);
  EXPECT_EQ(SendWithKey(kTestSecondaryKey, "GET", "/dbs", "", {}).status, 200) << "the other one stays good";
  EXPECT_EQ(SendWithKey(kTestSecondaryReadOnlyKey, "GET", "/dbs", "", {}).status, 401);
  EXPECT_FALSE(api_->ReplaceKeys({}, AnyHost()).ok());
  EXPECT_EQ(SendWithKey(keys.primary, "GET", "/dbs", "", {}).status, 200);
}

// Older clients join the account's endpoint, which ends in a slash, with a path that begins with one. The signature
// covers the resource's link and stays the same.
TEST_F(CosmosApiTest, TwoSlashesAtTheBeginOfAPathAreOne) {
  MakeItems();
  CreateItem(R"({"id":"x","pk":"p"})");
  EXPECT_EQ(SendRaw("GET", "//dbs", "", Signed("GET", "dbs", "")).status, 200);
  EXPECT_EQ(SendRaw("GET", "//dbs/db", "", Signed("GET", "dbs", "dbs/db")).status, 200);
  Headers headers = Signed("GET", "docs", "dbs/db/colls/c/docs/x");
  headers["x-ms-documentdb-partitionkey"] = R"(["p"])";
  EXPECT_EQ(SendRaw("GET", "//dbs/db/colls/c/docs/x", "", headers).status, 200);
  EXPECT_EQ(SendRaw("GET", "//", "", Signed("GET", "", "")).status, 200);
  EXPECT_EQ(SendRaw("GET", "///dbs", "", Signed("GET", "dbs", "")).status, 404);
}

TEST_F(CosmosApiTest, ThereIsNoDirectMode) {
  for (const char* path : {"/addresses", "//addresses/"}) {
    const Answer refused = SendRaw("GET", path, "", {});
    EXPECT_EQ(refused.status, 400) << path;
    EXPECT_FALSE(refused.headers.contains("x-ms-substatus")) << "with one, clients would ask again";
    EXPECT_EQ(refused.Message(),
              "\"This server has no direct mode. Choose gateway mode: ConnectionMode.Gateway (.NET), gatewayMode() "
              "(Java).\"");
  }
}

TEST_F(CosmosApiTest, AForeignNameIsRefusedWithWhatToDo) {
  StartApi(HostNames::Only({"lapse"}));
  Headers headers = Signed("GET", "dbs", "");
  for (const char* host : {"localhost:8081", "127.0.0.1", "lapse:8081"}) {
    headers["host"] = host;
    EXPECT_EQ(SendRaw("GET", "/dbs", "", headers).status, 200) << host;
  }
  headers["host"] = "rebound.example:8081";
  const Answer refused = SendRaw("GET", "/dbs", "", headers);
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.At("/code"), "\"Forbidden\"");
  EXPECT_THAT(refused.Message(), HasSubstr("--host-name rebound.example"));
  Headers post = Signed("POST", "dbs", "");
  post["host"] = "rebound.example";
  EXPECT_EQ(SendHead("POST", "/dbs", post).status, 403);
  EXPECT_EQ(SendRaw("POST", "/dbs", R"({"id":"db"})", post).status, 403);
  EXPECT_EQ(Send("GET", "/dbs").At("/_count"), "0") << "nothing was created";
}

TEST_F(CosmosApiTest, WithAKeyOfItsOwnAServerHasAnyName) {
  Headers headers = Signed("GET", "dbs", "");
  headers["host"] = "db.example";
  EXPECT_EQ(SendRaw("GET", "/dbs", "", headers).status, 200);
}

}  // namespace
}  // namespace lapse::api::cosmos
