// Tests client encryption keys, and the container policies that name them.
#include <gmock/gmock.h>

#include <string>

#include "api/cosmos/api_fixture.h"

namespace lapse::api::cosmos {
namespace {

using ::testing::HasSubstr;

constexpr char kKeys[] = "/dbs/db/clientencryptionkeys";

std::string Key(const std::string& id, const std::string& wrapped = "a2V5") {
  return R"({"id":")" + id + R"(","encryptionAlgorithm":"AEAD_AES_256_CBC_HMAC_SHA256","wrappedDataEncryptionKey":")" +
         wrapped + R"(","keyWrapMetadata":{"type":"t","name":"n","value":"v","algorithm":"RSA-OAEP"}})";
}

class EncryptionKeysApiTest : public ApiFixture {
 protected:
  EncryptionKeysApiTest() { Send("POST", "/dbs", R"({"id":"db"})"); }

  // Creates a container whose policy has these members.
  Answer MakeContainer(const std::string& paths, int version = 1) {
    return Send("POST", "/dbs/db/colls",
                R"({"id":"c","partitionKey":{"paths":["/pk"]},"clientEncryptionPolicy":{"policyFormatVersion":)" +
                    std::to_string(version) + R"(,"includedPaths":[)" + paths + "]}}");
  }
  static std::string Path(const std::string& path, const std::string& type = "Randomized", const std::string& key = "k",
                          const std::string& algorithm = "AEAD_AES_256_CBC_HMAC_SHA256") {
    return R"({"path":")" + path + R"(","clientEncryptionKeyId":")" + key + R"(","encryptionType":")" + type +
           R"(","encryptionAlgorithm":")" + algorithm + R"("})";
  }
};

TEST_F(EncryptionKeysApiTest, AKeyIsStoredServedAndReplaced) {
  Answer made = Send("POST", kKeys, Key("k"));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.At("/wrappedDataEncryptionKey"), "\"a2V5\"");
  EXPECT_EQ(made.At("/_rid"), "\"AAAAAQAAAAAAAAABAgAAAA==\"");
  EXPECT_EQ(Send("POST", kKeys, Key("k")).status, 409);
  EXPECT_EQ(Send("GET", std::string(kKeys) + "/k").body, made.body);
  EXPECT_EQ(Send("GET", kKeys).At("/ClientEncryptionKeys/0/id"), "\"k\"");
  EXPECT_EQ(Send("PUT", std::string(kKeys) + "/k", Key("k", "bmV3"), {{"if-match", "\"x\""}}).status, 412);
  Answer replaced = Send("PUT", std::string(kKeys) + "/k", Key("k", "bmV3"), {{"if-match", made.headers["etag"]}});
  EXPECT_EQ(replaced.At("/wrappedDataEncryptionKey"), "\"bmV3\"");
  EXPECT_EQ(Send("PUT", std::string(kKeys) + "/k", Key("l")).status, 400) << "policies go by the id";
  EXPECT_EQ(Send("DELETE", std::string(kKeys) + "/k").status, 405);
  EXPECT_EQ(Send("GET", std::string(kKeys) + "/l").status, 404);
}

TEST_F(EncryptionKeysApiTest, WhatIsNoKeyIsRefused) {
  for (const std::string& body :
       {Key("k", ""), Key("k", "***"), Key(""), std::string(R"({"id":"k"})"),
        std::string(R"({"id":"k","encryptionAlgorithm":"AES","wrappedDataEncryptionKey":"a"})")}) {
    EXPECT_EQ(Send("POST", kKeys, body).status, 400) << body;
  }
  for (const char* algorithm : {"5", "null", "[1]", "{}"}) {
    std::string body = Key("k");
    body.replace(body.find(R"("RSA-OAEP")"), std::string_view(R"("RSA-OAEP")").size(), algorithm);
    EXPECT_EQ(Send("POST", kKeys, body).status, 400) << body;
  }
  EXPECT_EQ(Send("GET", kKeys).At("/_count"), "0");
}

TEST_F(EncryptionKeysApiTest, APolicyNamesKeysThatAreThere) {
  EXPECT_THAT(MakeContainer(Path("/a")).Message(), HasSubstr("ClientEncryptionKey with id '[k]' does not exist."));
  ASSERT_EQ(Send("POST", kKeys, Key("k")).status, 201);
  EXPECT_THAT(MakeContainer(Path("/a", "Other")).Message(), HasSubstr("EncryptionType should be either"));
  EXPECT_THAT(MakeContainer(Path("/a", "Randomized", "k", "x")).Message(), HasSubstr("EncryptionAlgorithm should be"));
  EXPECT_THAT(MakeContainer(Path("/a") + "," + Path("/a")).Message(), HasSubstr("Duplicate Path found: /a."));
  for (const char* path : {"", "a", "/", "/a/b"}) EXPECT_EQ(MakeContainer(Path(path)).status, 400) << path;
  for (const char* path : {"/id", "/pk"}) {
    EXPECT_EQ(MakeContainer(Path(path, "Deterministic"), 1).status, 400) << path;
    EXPECT_EQ(MakeContainer(Path(path, "Randomized"), 2).status, 400) << path;
  }
  EXPECT_EQ(MakeContainer(Path("/a"), 3).status, 400);
  EXPECT_EQ(MakeContainer("7").status, 400);
  EXPECT_EQ(MakeContainer(Path("/a") + "," + Path("/pk", "Deterministic"), 2).status, 201);
}

TEST_F(EncryptionKeysApiTest, APolicyStaysAsItIs) {
  ASSERT_EQ(Send("POST", kKeys, Key("k")).status, 201);
  Answer made = MakeContainer(Path("/a"));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(Send("PUT", "/dbs/db/colls/c", made.body).status, 200);
  EXPECT_THAT(Send("PUT", "/dbs/db/colls/c", R"({"id":"c","partitionKey":{"paths":["/pk"]}})").Message(),
              HasSubstr("'clientEncryptionPolicy' cannot be changed"));
}

}  // namespace
}  // namespace lapse::api::cosmos
