// Tests every resource by its rid: the same responses as by name, signed with the rid alone, and never another
// resource.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "api/cosmos/api_fixture.h"
#include "base/ascii.h"

namespace lapse::api::cosmos {
namespace {

constexpr char kEncryptionKey[] =
    R"({"id":"k","encryptionAlgorithm":"AEAD_AES_256_CBC_HMAC_SHA256",)"
    R"("wrappedDataEncryptionKey":"AAAA","keyWrapMetadata":{"type":"t","name":"n","value":"v"}})";

std::string Unquoted(const std::string& json) {
  return json.size() < 2 ? "" : json.substr(1, json.size() - 2);
}

class RidAddressingTest : public ApiFixture {
 protected:
  RidAddressingTest() {
    MakeItems();
    item_ = SelfOf(CreateItem(R"({"id":"x","pk":"p","v":1})"));
    CreateItem(R"({"id":"y","pk":"p"})");
    Send("POST", "/dbs/db/users", R"({"id":"u"})");
    Send("POST", "/dbs/db/users/u/permissions", R"({"id":"p","permissionMode":"Read","resource":"dbs/db/colls/c"})");
    Send("POST", "/dbs/db/clientencryptionkeys", kEncryptionKey);
    database_ = SelfOf(Send("GET", "/dbs/db"));
    container_ = SelfOf(Send("GET", "/dbs/db/colls/c"));
  }

  // `/dbs/<rid>/colls/<rid>`: without the trailing slash.
  static std::string SelfOf(const Answer& answer) {
    std::string self = Unquoted(answer.At("/_self"));
    EXPECT_TRUE(self.ends_with('/')) << answer.status << answer.body;
    self.pop_back();
    return "/" + self;
  }
  static Headers Key(const std::string& key = R"(["p"])") { return {{"x-ms-documentdb-partitionkey", key}}; }

  // Returns what a client sees, without the parts that differ in each request.
  static std::string Seen(Answer answer) {
    answer.headers.erase("x-ms-activity-id");
    std::string text = std::to_string(answer.status) + "\n";
    for (const auto& [name, value] : answer.headers) text.append(name).append(": ").append(value).append("\n");
    return text + Answer::WithoutActivity(answer.body);
  }

  std::string database_;
  std::string container_;
  std::string item_;
};

TEST_F(RidAddressingTest, ReadsAreAsByName) {
  const std::string user = SelfOf(Send("GET", "/dbs/db/users/u"));
  const std::string permission = SelfOf(Send("GET", "/dbs/db/users/u/permissions/p"));
  const std::string key = SelfOf(Send("GET", "/dbs/db/clientencryptionkeys/k"));
  const std::string range = SelfOf(Send("GET", "/dbs/db/colls/c/pkranges/0"));
  struct Case {
    std::string by_name;
    std::string by_rid;
    Headers headers;
  };
  for (const Case& c : {Case{"/dbs/db", database_, {}},
                        {"/dbs/db/colls", database_ + "/colls", {}},
                        {"/dbs/db/colls/c", container_, {}},
                        {"/dbs/db/colls/c", container_, {{"x-ms-documentdb-populatequotainfo", "true"}}},
                        {"/dbs/db/colls/c/pkranges", container_ + "/pkranges", {}},
                        {"/dbs/db/colls/c/pkranges/0", range, {}},
                        {"/dbs/db/colls/c/docs", container_ + "/docs", {}},
                        {"/dbs/db/colls/c/docs", container_ + "/docs", Key()},
                        {"/dbs/db/colls/c/docs", container_ + "/docs", {{"x-ms-max-item-count", "1"}}},
                        {"/dbs/db/colls/c/docs", container_ + "/docs", {{"a-im", "Incremental Feed"}}},
                        {"/dbs/db/colls/c/docs/x", item_, Key()},
                        {"/dbs/db/colls/c/docs/x", item_, Key(R"(["other"])")},
                        {"/dbs/db/colls/c/docs/x", item_, {}},
                        {"/dbs/db/colls/c/docs/x", item_, Key("[")},
                        {"/dbs/db/colls/c/conflicts", container_ + "/conflicts", {}},
                        {"/dbs/db/users", database_ + "/users", {}},
                        {"/dbs/db/users/u", user, {}},
                        {"/dbs/db/users/u/permissions", user + "/permissions", {}},
                        {"/dbs/db/users/u/permissions/p", permission, {}},
                        {"/dbs/db/clientencryptionkeys", database_ + "/clientencryptionkeys", {}},
                        {"/dbs/db/clientencryptionkeys/k", key, {}}}) {
    const std::string by_name = Seen(Send("GET", c.by_name, "", c.headers));
    EXPECT_EQ(by_name, Seen(Send("GET", c.by_rid, "", c.headers))) << c.by_rid;
    EXPECT_EQ(by_name, Seen(Send("GET", c.by_rid + "/", "", c.headers))) << "with the slash of a _self";
  }
}

TEST_F(RidAddressingTest, RangesAreReadUntilNothingIsNew) {
  Headers headers = {{"a-im", "Incremental Feed"}, {"x-ms-max-item-count", "-1"}};
  Answer first = Send("GET", container_ + "/pkranges", "", headers);
  ASSERT_EQ(first.status, 200) << first.body;
  headers["if-none-match"] = first.headers["etag"];
  EXPECT_EQ(Send("GET", container_ + "/pkranges", "", headers).status, 304);
}

TEST_F(RidAddressingTest, OnlyTheRidInLowerCaseIsSigned) {
  const std::string rid = item_.substr(item_.rfind('/') + 1);
  std::string lower = rid;
  for (char& c : lower) c = LowerAscii(c);
  const auto read = [&](std::string_view link) {
    Headers headers = Signed("GET", "docs", link);
    headers.merge(Key());
    return SendRaw("GET", item_, "", headers).status;
  };
  EXPECT_EQ(read(lower), 200);
  EXPECT_EQ(read(rid), 401) << "the case is given up";
  EXPECT_EQ(read(item_.substr(1)), 401) << "the link is no part of it";
  EXPECT_EQ(read("dbs/db/colls/c/docs/x"), 401);
  EXPECT_EQ(SendHead("GET", item_, Signed("GET", "docs", lower)).status, 0) << "the head alone is judged alike";
  EXPECT_EQ(SendHead("GET", item_, Signed("GET", "docs", rid)).status, 401);
  EXPECT_EQ(SendWithKey(kTestReadOnlyKey, "GET", item_, "", Key()).status, 200);
  EXPECT_EQ(SendWithKey(kTestReadOnlyKey, "DELETE", item_, "", Key()).status, 401);
}

TEST_F(RidAddressingTest, ADatabaseOfThatNameGoesFirst) {
  const std::string name = database_.substr(5);
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":")" + name + R"("})").status, 201);
  EXPECT_EQ(Send("GET", database_).status, 401) << "it is signed as a name now";
  named_like_a_rid_ = true;
  EXPECT_EQ(Send("GET", database_).At("/id"), "\"" + name + "\"");
  EXPECT_EQ(Send("GET", container_).status, 404) << "it has no container of that name";
  ASSERT_EQ(Send("DELETE", database_).status, 204);
  named_like_a_rid_ = false;
  EXPECT_EQ(Send("GET", database_).At("/id"), R"("db")");
}

TEST_F(RidAddressingTest, WhatIsNotThereIsNotFound) {
  for (const std::string& path :
       {std::string("/dbs/AAAACQ=="), database_ + "/colls/c", database_ + "/colls/AAAAAYAAAAk=",
        database_ + "/colls/AAAACYAAAAE=", container_ + "/docs/x", container_ + "/docs/AAAAAYAAAAEJAAAAAAAAAA==",
        container_ + "/docs/AAAAAYAAAAkBAAAAAAAAAA==", container_ + "/pkranges/0",
        container_ + "/pkranges/AAAAAYAAAAEJAAAAAAAAUA==", container_ + "/conflicts/AAAAAYAAAAEBAAAAAAAAQA==",
        database_ + "/users/u", database_ + "/users/AAAAAQAAAAk=", database_ + "/users/AAAACQAAAAE=",
        // A permission's number in place of a user's, and a user's in place of a key's.
        database_ + "/users/AAAAAQAAAAI=", database_ + "/clientencryptionkeys/AAAAAQAAAAAAAAABAgAAAA==",
        std::string("/dbs/AAAACQ==/colls"), std::string("/dbs/AAAACQ==/users")}) {
    Answer missing = Send("GET", path, "", Key());
    EXPECT_EQ(missing.status, 404) << path << missing.body;
    EXPECT_EQ(missing.At("/code"), R"("NotFound")") << path;
  }
}

TEST_F(RidAddressingTest, WritesAreAsByName) {
  Answer replaced = Send("PUT", item_, R"({"id":"x","pk":"p","v":2})", Key());
  ASSERT_EQ(replaced.status, 200) << replaced.body;
  EXPECT_EQ(replaced.At("/_self"), "\"" + item_.substr(1) + "/\"");
  EXPECT_EQ(replaced.headers["x-ms-alt-content-path"], "dbs/db/colls/c");
  EXPECT_EQ(ReadItem("x").At("/v"), "2");
  const std::string first = replaced.headers["etag"];

  Answer patched = Send("PATCH", item_, R"([{"op":"incr","path":"/v","value":5}])", Key());
  ASSERT_EQ(patched.status, 200) << patched.body;
  EXPECT_EQ(patched.At("/v"), "7");

  Headers stale = Key();
  stale["if-match"] = first;
  EXPECT_EQ(Send("PUT", item_, R"({"id":"x","pk":"p","v":9})", stale).status, 412);
  EXPECT_EQ(Send("DELETE", item_, "", stale).status, 412);
  EXPECT_EQ(Send("PUT", item_, R"({"id":"z","pk":"p"})", Key()).status, 400) << "the id stays";
  EXPECT_EQ(Send("PUT", item_, R"({"id":"y","pk":"p"})", Key()).status, 400) << "also where such an item is";
  EXPECT_EQ(Send("PUT", item_, "{", Key()).status, 400);
  EXPECT_EQ(Send("PUT", item_, R"({"id":"x","pk":"p"})").status, 400) << "without the key";
  EXPECT_EQ(Send("DELETE", item_, "", Key(R"(["other"])")).status, 404);
  EXPECT_EQ(ReadItem("x").At("/v"), "7");
  EXPECT_EQ(Send("DELETE", item_, "", Key()).status, 204);
  EXPECT_EQ(ReadItem("x").status, 404);
  for (const char* method : {"GET", "PUT", "DELETE", "PATCH"}) {
    const std::string body =
        *method == 'P' && method[1] == 'A' ? R"([{"op":"remove","path":"/v"}])" : R"({"id":"x","pk":"p"})";
    EXPECT_EQ(Send(method, item_, body, Key()).status, 404) << method;
  }
}

TEST_F(RidAddressingTest, FeedsOfAContainerTakeWrites) {
  Answer made = Send("POST", container_ + "/docs", R"({"id":"new","pk":"p"})", Key());
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(ReadItem("new").status, 200);
  Headers upsert = Key();
  upsert["x-ms-documentdb-is-upsert"] = "True";
  EXPECT_EQ(Send("POST", container_ + "/docs", R"({"id":"new","pk":"p","v":1})", upsert).status, 200);
  Headers query = {{"content-type", "application/query+json"}, {"x-ms-documentdb-query-enablecrosspartition", "True"}};
  EXPECT_EQ(Send("POST", container_ + "/docs", R"({"query":"SELECT * FROM c"})", query).At("/_count"), "3");
}

TEST_F(RidAddressingTest, AnotherItemUnderTheSameIdIsNotTouched) {
  ASSERT_EQ(OneItem("DELETE", "x").status, 204);
  ASSERT_EQ(CreateItem(R"({"id":"x","pk":"p","v":"second"})").status, 201);
  EXPECT_EQ(Send("GET", item_, "", Key()).status, 404);
  EXPECT_EQ(Send("PUT", item_, R"({"id":"x","pk":"p","v":3})", Key()).status, 404);
  EXPECT_EQ(Send("PATCH", item_, R"([{"op":"set","path":"/v","value":3}])", Key()).status, 404);
  EXPECT_EQ(Send("DELETE", item_, "", Key()).status, 404);
  EXPECT_EQ(ReadItem("x").At("/v"), R"("second")");
}

TEST_F(RidAddressingTest, AnExpiredItemIsGoneInThatSecond) {
  const std::string short_lived = SelfOf(CreateItem(R"({"id":"t","pk":"p","ttl":5})"));
  PassSeconds(100);
  EXPECT_EQ(Send("GET", short_lived, "", Key()).status, 200) << "the container has no time to live";
  ASSERT_EQ(Send("PUT", container_,
                 R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"defaultTtl":-1})")
                .status,
            200);
  EXPECT_EQ(Send("GET", short_lived, "", Key()).status, 404);
  EXPECT_EQ(Send("DELETE", short_lived, "", Key()).status, 404);
  EXPECT_EQ(Send("GET", item_, "", Key()).status, 200);
}

TEST_F(RidAddressingTest, TheCommitJudgesWhatHappensMeanwhile) {
  // The item is looked up, then replaced by another with the same id, and only then is the write committed.
  engine::ContainerPtr container = *engine_->catalog().FindContainer("db", "c");
  engine::ItemWrite write;
  write.kind = engine::ItemWrite::Kind::kDelete;
  write.address = Address(*container, "p", "x");
  write.only = container->Read(write.address)->meta.number;
  ASSERT_EQ(OneItem("DELETE", "x").status, 204);
  ASSERT_EQ(CreateItem(R"({"id":"x","pk":"p","v":"second"})").status, 201);
  EXPECT_EQ(Write(container, write).status().code(), Code::kNotFound);
  EXPECT_EQ(ReadItem("x").At("/v"), R"("second")");
}

TEST_F(RidAddressingTest, DatabasesContainersAndUsersAreChangedByRid) {
  Answer made = Send("POST", database_ + "/colls", R"({"id":"d","partitionKey":{"paths":["/pk"]}})");
  ASSERT_EQ(made.status, 201) << made.body;
  Answer replaced = Send("PUT", SelfOf(made), R"({"id":"d","partitionKey":{"paths":["/pk"]},"defaultTtl":7})");
  EXPECT_EQ(replaced.status, 200) << replaced.body;
  EXPECT_EQ(Send("GET", "/dbs/db/colls/d").At("/defaultTtl"), "7");
  EXPECT_EQ(Send("DELETE", SelfOf(made)).status, 204);
  EXPECT_EQ(Send("GET", "/dbs/db/colls/d").status, 404);
  EXPECT_EQ(Send("GET", SelfOf(made)).status, 404);
  ASSERT_EQ(Send("POST", "/dbs/db/colls", R"({"id":"d","partitionKey":{"paths":["/pk"]}})").status, 201);
  EXPECT_EQ(Send("DELETE", SelfOf(made)).status, 404) << "the rid was of another one";

  const std::string user = SelfOf(Send("POST", database_ + "/users", R"({"id":"v"})"));
  Answer permission =
      Send("POST", user + "/permissions", R"({"id":"q","permissionMode":"All","resource":"dbs/db/colls/c"})");
  ASSERT_EQ(permission.status, 201) << permission.body;
  EXPECT_EQ(Send("PUT", user, R"({"id":"renamed"})").status, 200);
  EXPECT_EQ(Send("GET", "/dbs/db/users/renamed/permissions/q").status, 200);
  EXPECT_EQ(Send("GET", SelfOf(permission)).At("/id"), R"("q")") << "a rid outlives a name";
  EXPECT_EQ(Send("DELETE", SelfOf(permission)).status, 204);
  EXPECT_EQ(Send("DELETE", user).status, 204);
  EXPECT_EQ(Send("GET", user).status, 404);

  EXPECT_EQ(Send("DELETE", database_).status, 204);
  EXPECT_EQ(Send("GET", "/dbs/db").status, 404);
  EXPECT_EQ(Send("GET", item_, "", Key()).status, 404);
}

TEST_F(RidAddressingTest, TheNamesInTheSessionAreEncodedAsClientsDo) {
  Send("POST", "/dbs", R"({"id":"my db"})");
  Answer made = Send("POST", "/dbs/my%20db/colls", R"({"id":"caf\u00e9's","partitionKey":{"paths":["/pk"]}})");
  ASSERT_EQ(made.status, 201) << made.body;
  Answer item = Send("POST", SelfOf(made) + "/docs", R"({"id":"1","pk":"p"})", Key());
  EXPECT_EQ(item.headers["x-ms-alt-content-path"], "dbs/my%20db/colls/caf%C3%A9's");
}

TEST_F(RidAddressingTest, TokensAreGoodByRid) {
  const auto token = [&](const std::string& id, const std::string& resource, const std::string& more = "") {
    Send("POST", "/dbs/db/users", R"({"id":"of )" + id + R"("})");
    Answer made = Send("POST", "/dbs/db/users/of%20" + id + "/permissions",
                       R"({"id":")" + id + R"(","permissionMode":"All","resource":")" + resource + "\"" + more + "}");
    EXPECT_EQ(made.status, 201) << made.body;
    return Unquoted(made.At("/_token"));
  };
  const auto read = [&](const std::string& with, const std::string& path, Headers headers = Key()) {
    headers["authorization"] = with;
    return SendRaw("GET", path, "", headers).status;
  };
  const std::string other = SelfOf(ReadItem("y"));
  for (const std::string& link : {std::string("dbs/db/colls/c"), container_.substr(1) + "/"}) {
    const std::string on_container = token(link == "dbs/db/colls/c" ? "a" : "b", link);
    for (const std::string& path : {item_, other, container_, container_ + "/pkranges", std::string("/dbs/db/colls/c"),
                                    std::string("/dbs/db/colls/c/docs/x")}) {
      EXPECT_EQ(read(on_container, path), 200) << link << " " << path;
    }
    EXPECT_EQ(read(on_container, database_), 403);
    EXPECT_EQ(read(on_container, container_ + "/docs/AAAAAYAAAAEJAAAAAAAAAA=="), 404);
  }
  const std::string on_item = token("c", "dbs/db/colls/c/docs/x");
  EXPECT_EQ(read(on_item, "/dbs/db/colls/c/docs/x"), 200);
  EXPECT_EQ(read(on_item, item_), 403) << "an id is not compared with a rid";
  EXPECT_EQ(read(on_item, container_), 200);
  const std::string on_rid = token("d", item_.substr(1) + "/");
  EXPECT_EQ(read(on_rid, item_), 200);
  EXPECT_EQ(read(on_rid, other), 403);
  EXPECT_EQ(read(on_rid, "/dbs/db/colls/c/docs/x"), 403);
  EXPECT_EQ(read(on_rid, container_ + "/pkranges"), 200);
  const std::string on_key = token("e", "dbs/db/colls/c", R"(,"resourcePartitionKey":["q"])");
  EXPECT_EQ(read(on_key, item_), 403) << "the key of the header is not the token's";
  EXPECT_EQ(read(on_key, item_, Key(R"(["q"])")), 404) << "the item's key is not that of the header";
}

TEST_F(RidAddressingTest, TheContainerThatIsMeantIsTheOneThatIsThere) {
  const std::string rid = container_.substr(container_.rfind('/') + 1);
  Headers meant = Key();
  meant["x-ms-cosmos-intended-collection-rid"] = rid;
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c/docs/x", "", meant).status, 200);
  ASSERT_EQ(Send("DELETE", "/dbs/db/colls/c").status, 204);
  ASSERT_EQ(Send("POST", "/dbs/db/colls", R"({"id":"c","partitionKey":{"paths":["/pk"]}})").status, 201);
  const std::string body = R"({"id":"x","pk":"p"})";
  for (const auto& [method, path] :
       std::vector<std::pair<std::string, std::string>>{{"GET", "/dbs/db/colls/c/docs/x"},
                                                        {"PUT", "/dbs/db/colls/c/docs/x"},
                                                        {"DELETE", "/dbs/db/colls/c/docs/x"},
                                                        {"POST", "/dbs/db/colls/c/docs"},
                                                        {"GET", "/dbs/db/colls/c/docs"},
                                                        {"GET", "/dbs/db/colls/c/pkranges"}}) {
    Answer other = Send(method, path, body, meant);
    EXPECT_EQ(other.status, 400) << method << path << other.body;
    EXPECT_EQ(other.headers["x-ms-substatus"], "1024") << method << path;
  }
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c/docs").At("/_count"), "0") << "nothing was written";
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c", "", meant).status, 200) << "the way out is open";
  meant["x-ms-cosmos-intended-collection-rid"] = "rubbish";
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c/docs", "", meant).headers["x-ms-substatus"], "1024");
}

}  // namespace
}  // namespace lapse::api::cosmos
