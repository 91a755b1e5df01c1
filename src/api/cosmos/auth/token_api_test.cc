// Tests resource tokens in use: what ends them, and what they allow.
#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <utility>

#include "api/cosmos/api_fixture.h"
#include "base/executor.h"

namespace lapse::api::cosmos {
namespace {

using ::testing::HasSubstr;

constexpr char kItem[] = "/dbs/db/colls/c/docs/x";
constexpr char kItems[] = "/dbs/db/colls/c/docs";

class TokenApiTest : public ApiFixture {
 protected:
  TokenApiTest() {
    MakeItems();
    CreateItem(R"({"id":"x","pk":"p"})");
    CreateItem(R"({"id":"x","pk":"q"})", R"(["q"])");
    CreateItem(R"({"id":"y","pk":"p"})");
    Send("POST", "/dbs/db/users", R"({"id":"u"})");
  }

  static std::string Permission(const std::string& id, const std::string& mode, const std::string& resource,
                                const std::string& key = "") {
    return R"({"id":")" + id + R"(","permissionMode":")" + mode + R"(","resource":")" + resource + "\"" +
           (key.empty() ? "" : R"(,"resourcePartitionKey":)" + key) + "}";
  }
  static std::string TokenIn(const Answer& answer) {
    const std::string quoted = answer.At("/_token");
    return quoted.size() < 2 ? "" : quoted.substr(1, quoted.size() - 2);
  }
  std::string TokenFor(const std::string& mode, const std::string& resource, const std::string& key = "",
                       const Headers& headers = {}) {
    Answer made =
        Send("POST", kTestPermissions, Permission("p" + std::to_string(++made_), mode, resource, key), headers);
    EXPECT_EQ(made.status, 201) << made.body;
    return TokenIn(made);
  }
  // Without a date: a token needs none.
  Answer With(const std::string& token, std::string_view method, const std::string& path, const std::string& body = "",
              Headers headers = {}) {
    headers["authorization"] = token;
    return SendRaw(method, path, body, headers);
  }
  static Headers Key(const std::string& key) { return {{"x-ms-documentdb-partitionkey", key}}; }
  int ReadWith(const std::string& token) { return With(token, "GET", kItem, "", Key(R"(["p"])")).status; }

  int made_ = 0;
};

TEST_F(TokenApiTest, AContainersTokenReadsOrWritesItsItems) {
  const std::string read = TokenFor("Read", "dbs/db/colls/c");
  EXPECT_EQ(ReadWith(read), 200);
  EXPECT_EQ(With(read, "GET", kItems).status, 200);
  EXPECT_EQ(With(read, "GET", "/").status, 200);
  Answer refused = With(read, "POST", kItems, R"({"id":"z","pk":"p"})", Key(R"(["p"])"));
  EXPECT_EQ(refused.status, 403);
  EXPECT_THAT(refused.Message(), HasSubstr("permission mode"));
  EXPECT_EQ(ReadItem("z").status, 404);
  Send("DELETE", std::string(kTestPermissions) + "/p1");
  const std::string all = TokenFor("all", "/dbs/db/colls/c/");
  EXPECT_EQ(With(all, "POST", kItems, R"({"id":"z","pk":"p"})", Key(R"(["p"])")).status, 201);
  EXPECT_EQ(With(all, "DELETE", "/dbs/db/colls/c").status, 403);
  EXPECT_EQ(With(all, "GET", "/dbs/db").status, 403);
  EXPECT_EQ(With(all, "GET", "/offers").status, 403);
  EXPECT_EQ(With(all, "GET", kTestPermissions).status, 403);
}

TEST_F(TokenApiTest, TheEncodedFormIsTakenToo) {
  const std::string token = TokenFor("Read", "dbs/db/colls/c");
  std::string encoded;
  for (char c : token) encoded += c == '=' ? "%3D" : c == '&' ? "%26" : std::string(1, c);
  EXPECT_EQ(ReadWith(encoded), 200);
}

TEST_F(TokenApiTest, RealTimeBoundsAToken) {
  const std::string token = TokenFor("Read", "dbs/db/colls/c", "", {{"x-ms-documentdb-expiry-seconds", "600"}});
  PassSeconds(100'000);
  EXPECT_EQ(ReadWith(token), 200) << "store time does not count";
  request_wall_.Advance(599'999);
  EXPECT_EQ(ReadWith(token), 200);
  request_wall_.Advance(1);
  Answer ended = With(token, "GET", kItem, "", Key(R"(["p"])"));
  EXPECT_EQ(ended.status, 403);
  EXPECT_THAT(ended.Message(), HasSubstr("token expiry time: Sun, 15 Jun 2025 15:16:40 GMT"));
  request_wall_.Advance(-600'000 - 15 * 60 * 1000);
  EXPECT_EQ(ReadWith(token), 200);
  request_wall_.Advance(-1);
  EXPECT_EQ(ReadWith(token), 403) << "it has not begun";
}

TEST_F(TokenApiTest, ATokenEndsWithItsPermission) {
  const std::string token = TokenFor("Read", "dbs/db/colls/c");
  const std::string path = std::string(kTestPermissions) + "/p1";
  EXPECT_EQ(Send("PUT", path, Permission("new", "Read", "dbs/db/colls/c")).status, 200);
  EXPECT_EQ(ReadWith(token), 200) << "another id grants the same";
  const std::string renamed = std::string(kTestPermissions) + "/new";
  EXPECT_EQ(Send("PUT", renamed, Permission("new", "All", "dbs/db/colls/c")).status, 200);
  EXPECT_EQ(ReadWith(token), 403) << "it grants something else now";
  EXPECT_EQ(Send("PUT", renamed, Permission("new", "Read", "dbs/db/colls/c", R"(["p"])")).status, 200);
  EXPECT_EQ(ReadWith(token), 403);
  EXPECT_EQ(Send("PUT", renamed, Permission("new", "Read", "dbs/db/colls/c")).status, 200);
  EXPECT_EQ(ReadWith(token), 200);
  EXPECT_EQ(Send("DELETE", renamed).status, 204);
  EXPECT_EQ(ReadWith(token), 403);
  EXPECT_EQ(Send("POST", kTestPermissions, Permission("new", "Read", "dbs/db/colls/c")).status, 201);
  EXPECT_EQ(ReadWith(token), 403) << "a new permission with the old name is another one";
}

TEST_F(TokenApiTest, ATokenEndsWithItsUser) {
  const std::string token = TokenFor("Read", "dbs/db/colls/c");
  EXPECT_EQ(Send("DELETE", "/dbs/db/users/u").status, 204);
  EXPECT_EQ(ReadWith(token), 403);
}

TEST_F(TokenApiTest, ATokenEndsWithItsContainer) {
  const std::string token = TokenFor("All", "dbs/db/colls/c");
  EXPECT_EQ(Send("DELETE", "/dbs/db/colls/c").status, 204);
  EXPECT_EQ(ReadWith(token), 403);
  EXPECT_EQ(Send("POST", "/dbs/db/colls", R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash"}})").status, 201);
  CreateItem(R"({"id":"x","pk":"p"})");
  EXPECT_EQ(ReadWith(token), 403) << "another container has the name";
  EXPECT_EQ(ReadWith(TokenIn(Send("GET", std::string(kTestPermissions) + "/p1"))), 200)
      << "a new token is for that one";
}

// Runs a callback before each task, to simulate what happens while a request waits for a thread.
class InterposingExecutor : public Executor {
 public:
  void Run(std::function<void()> work) override {
    if (before) std::exchange(before, nullptr)();
    work();
  }

  std::function<void()> before;
};

TEST_F(TokenApiTest, AContainerThatIsReplacedOnTheWayIsNotTouched) {
  const std::string token = TokenFor("Read", "dbs/db/colls/c");
  InterposingExecutor executor;
  blocking_ = &executor;
  StartApi(AnyHost());
  EXPECT_EQ(With(token, "GET", kItems).status, 200);
  executor.before = [this] {
    engine::ContainerDefinition same = Find("c")->state()->definition;
    ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "c", 0).ok());
    ASSERT_TRUE(engine_->catalog_store().CreateContainer("db", same).ok());
  };
  EXPECT_EQ(With(token, "GET", kItems).status, 403);
  EXPECT_EQ(Send("GET", kItems).status, 200) << "whoever has a key is bound to no container";
  blocking_ = &executor_;
  StartApi(AnyHost());
}

TEST_F(TokenApiTest, KeysAndTokensDoNotDependOnEachOther) {
  const std::string token = TokenFor("Read", "dbs/db/colls/c");
  ASSERT_TRUE(
      api_->ReplaceKeys({.primary = "bmV3", .secondary = "", .read_only = "", .secondary_read_only = ""}, AnyHost())
          .ok());
  EXPECT_EQ(ReadWith(token), 200);
  StartApi(AnyHost());
  EXPECT_EQ(ReadWith(token), 200) << "the secret is kept with the data";
}

TEST_F(TokenApiTest, AKeysTokenStaysWithinItsKey) {
  const std::string token = TokenFor("All", "dbs/db/colls/c", R"(["p"])");
  EXPECT_EQ(ReadWith(token), 200);
  for (const char* header : {R"(["q"])", "[]", "[{}]", "[null]", R"(["p","p"])", ""}) {
    EXPECT_EQ(With(token, "GET", kItem, "", Key(header)).status, 403) << header;
    EXPECT_EQ(With(token, "GET", kItems, "", Key(header)).status, 403) << header;
    EXPECT_EQ(With(token, "POST", kItems, R"({"id":"z","pk":"q"})", Key(header)).status, 403) << header;
  }
  EXPECT_EQ(With(token, "GET", kItems).status, 403);
  Answer feed = With(token, "GET", kItems, "", Key("[ \"\\u0070\" ]"));
  EXPECT_EQ(feed.At("/_count"), "2") << feed.body;
  EXPECT_EQ(With(token, "POST", kItems, R"({"id":"z","pk":"q"})", Key(R"(["p"])")).status, 400);
  EXPECT_EQ(With(token, "POST", kItems, R"({"id":"z","pk":"p"})", Key(R"(["p"])")).status, 201);
  EXPECT_EQ(With(token, "GET", "/dbs/db/colls/c").status, 200);
  EXPECT_EQ(With(token, "GET", "/dbs/db/colls/c/pkranges").status, 200);
}

TEST_F(TokenApiTest, AKeysTokenNamesItsScopeInOneWay) {
  const std::string token = TokenFor("Read", "dbs/db/colls/c", R"(["p"])");
  for (const auto& [name, value] :
       Headers{{"x-ms-documentdb-partitionkeyrangeid", "0"}, {"x-ms-start-epk", "00"}, {"x-ms-end-epk", "FF"}}) {
    Headers headers = Key(R"(["p"])");
    headers[name] = value;
    EXPECT_EQ(With(token, "GET", kItems, "", headers).status, 400) << name;
    headers["a-im"] = "Incremental feed";
    EXPECT_EQ(With(token, "GET", kItems, "", headers).status, 400) << name;
    EXPECT_EQ(With(token, "GET", kItems, "", {{name, value}}).status, 400) << name;
  }
}

TEST_F(TokenApiTest, AnItemsTokenIsForThatItem) {
  const std::string token = TokenFor("All", "dbs/db/colls/c/docs/x", R"(["p"])");
  EXPECT_EQ(ReadWith(token), 200);
  EXPECT_EQ(With(token, "GET", kItem, "", Key(R"(["q"])")).status, 403);
  EXPECT_EQ(With(token, "GET", "/dbs/db/colls/c/docs/y", "", Key(R"(["p"])")).status, 403);
  EXPECT_EQ(With(token, "GET", kItems, "", Key(R"(["p"])")).status, 403);
  EXPECT_EQ(With(token, "POST", kItems, R"({"id":"x","pk":"p"})", Key(R"(["p"])")).status, 403);
  EXPECT_EQ(With(token, "GET", "/dbs/db/colls/c").status, 200);
  EXPECT_EQ(With(token, "PUT", kItem, R"({"id":"x","pk":"p","n":1})", Key(R"(["p"])")).status, 200);
  EXPECT_EQ(With(token, "DELETE", kItem, "", Key(R"(["p"])")).status, 204);
}

TEST_F(TokenApiTest, APermissionMayNameItsContainerByRid) {
  Answer container = Send("GET", "/dbs/db/colls/c");
  const std::string self = container.At("/_self");
  EXPECT_EQ(ReadWith(TokenFor("Read", self.substr(1, self.size() - 2))), 200);
}

TEST_F(TokenApiTest, APermissionForNothingOpensNothing) {
  const std::string token = TokenFor("All", "dbs/db/colls/nowhere");
  EXPECT_EQ(With(token, "GET", "/").status, 200);
  EXPECT_EQ(ReadWith(token), 403);
  EXPECT_EQ(With(token, "GET", "/dbs/db/colls/nowhere").status, 403);
  const std::string database = TokenFor("All", "dbs/db");
  EXPECT_EQ(With(database, "GET", "/dbs/db").status, 403);
  EXPECT_EQ(ReadWith(database), 403);
}

TEST_F(TokenApiTest, WhatIsNoTokenIs401) {
  const std::string token = TokenFor("Read", "dbs/db/colls/c");
  EXPECT_EQ(ReadWith(token + "A"), 401);
  EXPECT_EQ(ReadWith("null"), 401);
  EXPECT_EQ(ReadWith("type=resource&ver=1.0&sig="), 401);
  EXPECT_EQ(ReadWith("type=resource&ver=1.0&sig=" + std::string(99, 'A')), 401);
  EXPECT_EQ(ReadWith("type=resource&ver=1.0&sig=" + std::string(9000, 'A')), 400);
}

TEST_F(TokenApiTest, WhatABatchDoesIsSeenInItsBody) {
  const auto headers = [](const std::string& key, const char* atomic) {
    return Headers{{"x-ms-cosmos-is-batch-request", "true"},
                   {"x-ms-cosmos-batch-atomic", atomic},
                   {"x-ms-documentdb-partitionkey", key}};
  };
  const auto operation = [](const std::string& type, const std::string& id, const std::string& key) {
    return R"({"operationType":")" + type + R"(","id":")" + id + R"(","partitionKey":"[\")" + key +
           R"(\"]","resourceBody":{"id":")" + id + R"(","pk":")" + key + R"("}})";
  };
  const std::string reads = "[" + operation("Read", "x", "p") + "]";
  const std::string writes = "[" + operation("Read", "x", "p") + "," + operation("Create", "new", "p") + "]";
  const std::string elsewhere = "[" + operation("Read", "x", "p") + "," + operation("Create", "new", "q") + "]";
  const std::string read = TokenFor("Read", "dbs/db/colls/c");
  Send("DELETE", std::string(kTestPermissions) + "/p1");
  const std::string of_key = TokenFor("All", "dbs/db/colls/c", R"(["p"])");
  for (const char* atomic : {"true", "false"}) {
    EXPECT_EQ(With(read, "POST", kItems, reads, headers(R"(["p"])", atomic)).status, 403) << "its permission is gone";
    EXPECT_EQ(With(of_key, "POST", kItems, reads, headers(R"(["p"])", atomic)).status, 200);
    EXPECT_EQ(With(of_key, "POST", kItems, reads, headers(R"(["q"])", atomic)).status, 403);
    EXPECT_EQ(With(of_key, "POST", kItems, elsewhere, headers(R"(["p"])", atomic)).status, 400);
  }
  EXPECT_EQ(ReadItem("new").status, 404);
  EXPECT_EQ(ReadItem("new", R"(["q"])").status, 404);
  EXPECT_EQ(With(of_key, "POST", kItems, writes, headers(R"(["p"])", "true")).status, 200);
  EXPECT_EQ(ReadItem("new").status, 200);
  Send("DELETE", std::string(kTestPermissions) + "/p2");
  const std::string only_read = TokenFor("Read", "dbs/db/colls/c");
  for (const char* atomic : {"true", "false"}) {
    EXPECT_EQ(With(only_read, "POST", kItems, reads, headers(R"(["p"])", atomic)).status, 200);
    Answer refused = With(only_read, "POST", kItems, writes, headers(R"(["p"])", atomic));
    EXPECT_EQ(refused.status, 403);
    EXPECT_THAT(refused.Message(), HasSubstr("permission mode"));
  }
}

}  // namespace
}  // namespace lapse::api::cosmos
