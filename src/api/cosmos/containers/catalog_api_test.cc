// Tests account, databases, containers, ranges and their access control through the API.
#include <gtest/gtest.h>

#include <string>

#include "api/cosmos/api_fixture.h"
#include "base/bytes.h"
#include "engine/shard/builds/index_builder.h"

namespace lapse::api::cosmos {
namespace {

class CatalogApiTest : public ApiFixture {};

TEST_F(CatalogApiTest, TheAccountPointsBackToItself) {
  Answer account = Send("GET", "/");
  ASSERT_EQ(account.status, 200) << account.body;
  EXPECT_EQ(account.At("/writableLocations/0/databaseAccountEndpoint"), R"("http://localhost:8081/")");
  EXPECT_EQ(account.At("/readableLocations/0/databaseAccountEndpoint"), R"("http://localhost:8081/")");
  EXPECT_EQ(account.At("/userConsistencyPolicy/defaultConsistencyLevel"), R"("Session")");
  EXPECT_EQ(account.At("/enableMultipleWriteLocations"), "false");
  EXPECT_NE(account.At("/id"), R"("localhost")");
  EXPECT_EQ(account.headers["content-type"], "application/json");
}

TEST_F(CatalogApiTest, EveryAnswerHasItsHeaders) {
  for (const Answer& answer : {Send("GET", "/"), Send("GET", "/dbs/none"), Send("GET", "/nowhere")}) {
    EXPECT_TRUE(answer.headers.contains("x-ms-request-charge"));
    EXPECT_EQ(answer.headers.at("x-ms-activity-id").size(), 36U);
  }
  EXPECT_EQ(Send("GET", "/dbs", "", {{"x-ms-activity-id", "mine-1"}}).headers["x-ms-activity-id"], "mine-1");
}

TEST_F(CatalogApiTest, AContainerSaysWhichDatabaseItIsIn) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"my db"})").status, 201);
  Answer made = Send("POST", "/dbs/my%20db/colls", R"({"id":"c","partitionKey":{"paths":["/pk"]}})");
  ASSERT_EQ(made.status, 201) << made.body;
  std::string self = made.At("/_self");
  self = "/" + self.substr(1, self.size() - 3);
  const std::string rid = Send("GET", "/dbs/my%20db").At("/_rid");
  for (const Answer& answer : {made, Send("GET", "/dbs/my%20db/colls/c"), Send("GET", self),
                               Send("PUT", "/dbs/my%20db/colls/c", R"({"id":"c","partitionKey":{"paths":["/pk"]}})")}) {
    ASSERT_TRUE(answer.headers.contains("x-ms-alt-content-path")) << answer.body;
    EXPECT_EQ(answer.headers.at("x-ms-alt-content-path"), "dbs/my%20db");
    EXPECT_EQ('"' + answer.headers.at("x-ms-content-path") + '"', rid);
  }
}

TEST_F(CatalogApiTest, ANewIndexingPolicyIsCarriedOutAndItsProgressShown) {
  const std::string kHeader = "x-ms-documentdb-collection-index-transformation-progress";
  auto progress = [&] { return std::stoi(Send("GET", "/dbs/db/colls/c").headers.at(kHeader)); };
  MakeItems();
  for (int i = 0; i < 600; ++i) {
    ASSERT_EQ(CreateItem(R"({"id":"i)" + std::to_string(i) + R"(","pk":"p","a":1})").status, 201);
  }
  EXPECT_EQ(progress(), 100);
  const Answer replaced = Send("PUT", "/dbs/db/colls/c",
                               R"({"id":"c","partitionKey":{"paths":["/pk"]},"indexingPolicy":)"
                               R"({"includedPaths":[{"path":"/a/?"}],"excludedPaths":[{"path":"/*"}]}})");
  ASSERT_EQ(replaced.status, 200) << replaced.body;
  EXPECT_EQ(progress(), 0);
  int last = 0;
  for (int turns = 0; last < 100; ++turns) {
    ASSERT_LT(turns, 1000) << "it does not end";
    steady_.AdvanceMs(1000);
    engine_->BuildTurn();
    EXPECT_GE(progress(), last);
    last = progress();
  }
  EXPECT_FALSE(Find("c")->state()->index_in_making.has_value());
  EXPECT_EQ(Find("c")->state()->index->definition, Find("c")->state()->definition.indexing);
}

TEST_F(CatalogApiTest, WithoutAnIndexNothingIsInTheMaking) {
  MakeItems(R"("indexingPolicy":{"indexingMode":"none"})");
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p","a":1})").status, 201);
  EXPECT_FALSE(Find("c")->state()->index.has_value());
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c").headers.at("x-ms-documentdb-collection-index-transformation-progress"),
            "100");
}

TEST_F(CatalogApiTest, RequestsMustBeSigned) {
  Answer missing = SendRaw("GET", "/dbs", "", {{"x-ms-date", std::string(kTestDate)}});
  EXPECT_EQ(missing.status, 401);
  EXPECT_EQ(missing.At("/code"), R"("Unauthorized")");
  EXPECT_EQ(SendWithKey("d3Jvbmcga2V5", "GET", "/dbs", "", {}).status, 401);
  request_wall_.Advance(16 * 60 * 1000);
  Answer late = Send("GET", "/dbs");
  EXPECT_EQ(late.status, 403);
  EXPECT_EQ(late.At("/code"), R"("Forbidden")");
}

TEST_F(CatalogApiTest, TheReadOnlyKeyReads) {
  MakeItems();
  EXPECT_EQ(SendWithKey(kTestReadOnlyKey, "GET", "/dbs/db", "", {}).status, 200);
  EXPECT_EQ(SendWithKey(kTestReadOnlyKey, "POST", "/dbs/db/colls/c/docs", R"({"query":"SELECT * FROM c"})",
                        {{"x-ms-documentdb-isquery", "true"}, {"x-ms-documentdb-partitionkey", R"(["p"])"}})
                .status,
            200);
  EXPECT_EQ(SendWithKey(kTestReadOnlyKey, "POST", "/dbs", R"({"id":"x"})", {}).status, 401);
  EXPECT_EQ(SendWithKey(kTestReadOnlyKey, "DELETE", "/dbs/db", "", {}).status, 401);
}

TEST_F(CatalogApiTest, ARequestMayOnlyWeakenConsistency) {
  for (const char* level : {"Session", "ConsistentPrefix", "Eventual"}) {
    EXPECT_EQ(Send("GET", "/dbs", "", {{"x-ms-consistency-level", level}}).status, 200) << level;
  }
  for (const char* level : {"Strong", "BoundedStaleness", "Whatever"}) {
    EXPECT_EQ(Send("GET", "/dbs", "", {{"x-ms-consistency-level", level}}).status, 400) << level;
  }
}

TEST_F(CatalogApiTest, UnknownRoutesAndVerbs) {
  EXPECT_EQ(Send("GET", "/nowhere").status, 404);
  Answer verb = Send("PUT", "/dbs", "{}");
  EXPECT_EQ(verb.status, 405);
  EXPECT_EQ(verb.At("/code"), R"("MethodNotAllowed")");
  MakeItems();
  EXPECT_EQ(Send("POST", "/dbs/db/colls/c/pkranges", "{}").status, 405);
  for (const char* path : {"/dbs/db/colls/c/sprocs", "/dbs/db/colls/c/triggers/t", "/dbs/db/colls/c/udfs"}) {
    Answer answer = Send("GET", path);
    EXPECT_EQ(answer.status, 400) << path;
    EXPECT_NE(answer.Message().find("not supported yet"), std::string::npos);
  }
  EXPECT_EQ(Send("POST", "/dbs/db/colls/c/operations/partitionkeydelete").status, 400);
}

TEST_F(CatalogApiTest, Databases) {
  Answer made = Send("POST", "/dbs", R"({"id":"my db","_rid":"mine"})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.body, R"({"id":"my db","_rid":"AAAAAQ==","_self":"dbs/AAAAAQ==/",)"
                       R"("_etag":"\"00000100-0000-0000-0000-000000000001\"","_colls":"colls/","_users":"users/",)"
                       R"("_ts":1750000000})");
  EXPECT_EQ(made.headers["etag"], R"("00000100-0000-0000-0000-000000000001")");
  EXPECT_EQ(Send("GET", "/dbs/my%20db").body, made.body);
  Answer again = Send("POST", "/dbs", R"({"id":"my db"})");
  EXPECT_EQ(again.status, 409);
  EXPECT_EQ(again.body,
            R"({"code":"Conflict","message":"Resource with specified id, name, or unique index already exists.)"
            R"(\r\nActivityId: )" +
                again.headers["x-ms-activity-id"] + R"("})");
  EXPECT_EQ(Send("DELETE", "/dbs/my%20db", "", {{"if-match", "\"other\""}}).status, 412);
  EXPECT_EQ(Send("DELETE", "/dbs/my%20db").status, 204);
  Answer gone = Send("GET", "/dbs/my%20db");
  EXPECT_EQ(gone.status, 404);
  EXPECT_EQ(gone.At("/code"), R"("NotFound")");
  EXPECT_EQ(gone.Message(), R"("Resource Not Found. Learn more: https://aka.ms/cosmosdb-tsg-not-found")");
  EXPECT_EQ(Send("DELETE", "/dbs/my%20db").status, 404);
  for (const char* body : {"", "[]", "{", "{}", R"({"id":5})", R"({"id":"a/b"})", R"({"id":"a "})"}) {
    EXPECT_EQ(Send("POST", "/dbs", body).status, 400) << body;
  }
}

TEST_F(CatalogApiTest, DatabasesComeInPages) {
  for (const char* name : {"b", "c", "a"})
    ASSERT_EQ(Send("POST", "/dbs", "{\"id\":\"" + std::string(name) + "\"}").status, 201);
  Answer first = Send("GET", "/dbs", "", {{"x-ms-max-item-count", "2"}});
  EXPECT_EQ(first.At("/_count"), "2");
  EXPECT_EQ(first.At("/Databases/0/id"), R"("a")");
  EXPECT_EQ(first.At("/Databases/1/id"), R"("b")");
  Answer second = Send("GET", "/dbs", "", {{"x-ms-continuation", first.headers["x-ms-continuation"]}});
  EXPECT_EQ(second.At("/Databases/0/id"), R"("c")");
  EXPECT_EQ(second.headers["x-ms-item-count"], "1");
  EXPECT_FALSE(second.headers.contains("x-ms-continuation"));
  EXPECT_EQ(Send("GET", "/dbs", "", {{"x-ms-continuation", "rubbish"}}).status, 400);
  Answer query = Send("POST", "/dbs", R"({"query":"SELECT * FROM root r"})", {{"x-ms-documentdb-isquery", "true"}});
  EXPECT_EQ(query.status, 200);
  EXPECT_EQ(query.At("/_count"), "3");
}

TEST_F(CatalogApiTest, Containers) {
  MakeItems(R"("defaultTtl":60,"other":1)");
  Answer read = Send("GET", "/dbs/db/colls/c");
  ASSERT_EQ(read.status, 200);
  EXPECT_EQ(read.At("/id"), R"("c")");
  EXPECT_EQ(read.At("/defaultTtl"), "60");
  EXPECT_EQ(read.At("/other"), "1");
  EXPECT_EQ(read.At("/partitionKey"), R"({"paths":["/pk"],"kind":"Hash","version":2})");
  EXPECT_EQ(read.At("/_rid"), R"("AAAAAYAAAAE=")");
  EXPECT_EQ(read.At("/_self"), R"("dbs/AAAAAQ==/colls/AAAAAYAAAAE=/")");
  EXPECT_EQ(read.At("/_ts"), "1750000000");
  EXPECT_EQ(read.At("/_docs"), R"("docs/")");
  EXPECT_EQ(read.At("/_conflicts"), R"("conflicts/")");

  Answer list = Send("GET", "/dbs/db/colls");
  EXPECT_EQ(list.At("/_rid"), R"("AAAAAQ==")");
  EXPECT_EQ(list.At("/DocumentCollections/0"), read.body);
  Answer query = Send("POST", "/dbs/db/colls", R"({"query":"select * from c"})", {{"x-ms-documentdb-isquery", "True"}});
  EXPECT_EQ(query.At("/_count"), "1");

  Answer same = Send("GET", "/dbs/db/colls/c", "", {{"if-none-match", read.headers["etag"]}});
  EXPECT_EQ(same.status, 304);
  EXPECT_EQ(same.body, "");

  EXPECT_EQ(Send("POST", "/dbs/db/colls", R"({"id":"c","partitionKey":{"paths":["/pk"]}})").status, 409);
  EXPECT_EQ(Send("DELETE", "/dbs/db/colls/c").status, 204);
  Answer gone = Send("GET", "/dbs/db/colls/c");
  EXPECT_EQ(gone.status, 404);
  EXPECT_FALSE(gone.headers.contains("x-ms-substatus"));
}

TEST_F(CatalogApiTest, ADefinitionThatIsTooLargeIs413AndChangesNothing) {
  MakeItems();
  const std::string note = R"(,"note":")" + std::string(300 << 10, 'x') + "\"}";
  const std::string body = R"("partitionKey":{"paths":["/pk"],"kind":"Hash","version":2})" + note;
  Answer refused = Send("POST", "/dbs/db/colls", R"({"id":"large",)" + body);
  EXPECT_EQ(refused.status, 413);
  EXPECT_EQ(refused.At("/code"), R"("RequestEntityTooLarge")");
  EXPECT_EQ(Send("GET", "/dbs/db/colls/large").status, 404);
  EXPECT_EQ(Send("PUT", "/dbs/db/colls/c", R"({"id":"c",)" + body).status, 413);
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c").At("/note"), "");
}

TEST_F(CatalogApiTest, AMissingDatabaseIsAMissingOwner) {
  for (const Answer& answer :
       {Send("POST", "/dbs/none/colls", R"({"id":"c","partitionKey":{"paths":["/pk"]}})"),
        Send("GET", "/dbs/none/colls"), Send("GET", "/dbs/none/colls/c"), Send("DELETE", "/dbs/none/colls/c"),
        Send("GET", "/dbs/none/colls/c/docs"), Send("GET", "/dbs/none/colls/c/pkranges"),
        Send("POST", "/dbs/none/colls/c/docs", R"({"id":"1"})")}) {
    EXPECT_EQ(answer.status, 404);
    EXPECT_EQ(answer.headers.at("x-ms-substatus"), "1003");
  }
}

TEST_F(CatalogApiTest, ReplacesContainers) {
  MakeItems();
  std::string etag = Send("GET", "/dbs/db/colls/c").headers["etag"];
  std::string body = R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"defaultTtl":)";
  Answer replaced = Send("PUT", "/dbs/db/colls/c", body + "5}", {{"if-match", etag}});
  ASSERT_EQ(replaced.status, 200) << replaced.body;
  EXPECT_EQ(replaced.At("/defaultTtl"), "5");
  EXPECT_NE(replaced.headers["etag"], etag);
  Answer stale = Send("PUT", "/dbs/db/colls/c", body + "6}", {{"if-match", etag}});
  EXPECT_EQ(stale.status, 412);
  EXPECT_EQ(stale.At("/code"), R"("PreconditionFailed")");
  EXPECT_EQ(Send("PUT", "/dbs/db/colls/c", body + "6}", {{"if-match", "\"rubbish\""}}).status, 412);
  EXPECT_EQ(Send("DELETE", "/dbs/db/colls/c", "", {{"if-match", etag}}).status, 412);
  Answer zero = Send("PUT", "/dbs/db/colls/c", body + "0}");
  EXPECT_EQ(zero.status, 400);
  EXPECT_EQ(
      zero.Message(),
      R"("The input defaultTtl '0' is invalid. Ensure to provide a nonzero positive integer less than or equal to )"
      R"('2147483647', or '-1' which means never expire.")");
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c").At("/defaultTtl"), "5");
  EXPECT_EQ(Send("PUT", "/dbs/db/colls/none", body + "5}").status, 404);
}

TEST_F(CatalogApiTest, Throughput) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  auto create = [&](const std::string& name, Headers headers) {
    return Send("POST", "/dbs/db/colls", R"({"id":")" + name + R"(","partitionKey":{"paths":["/pk"],"version":2}})",
                std::move(headers))
        .status;
  };
  EXPECT_EQ(create("a", {{"x-ms-offer-throughput", "400"}}), 201);
  EXPECT_EQ(create("b", {{"x-ms-cosmos-offer-autopilot-settings", R"({"maxThroughput":30000})"}}), 201);
  EXPECT_EQ(Send("GET", "/dbs/db/colls/b/pkranges").At("/_count"), "5");
  for (const char* bad : {"0", "399", "450", "1000100", "x", "400.5", "-400"}) {
    EXPECT_EQ(create("c", {{"x-ms-offer-throughput", bad}}), 400) << bad;
  }
  for (const char* bad : {"{}", "1000", R"({"maxThroughput":1500})", R"({"maxThroughput":"1000"})"}) {
    EXPECT_EQ(create("c", {{"x-ms-cosmos-offer-autopilot-settings", bad}}), 400) << bad;
  }
}

TEST_F(CatalogApiTest, RangesTileTheSpace) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  ASSERT_EQ(Send("POST", "/dbs/db/colls", R"({"id":"c","partitionKey":{"paths":["/pk"],"version":2}})",
                 {{"x-ms-offer-throughput", "21000"}})
                .status,
            201);
  Answer ranges = Send("GET", "/dbs/db/colls/c/pkranges");
  ASSERT_EQ(ranges.At("/_count"), "4") << ranges.body;
  EXPECT_EQ(ranges.At("/PartitionKeyRanges/0/minInclusive"), R"("")");
  EXPECT_EQ(ranges.At("/PartitionKeyRanges/3/maxExclusive"), R"("FF")");
  for (int i = 1; i < 4; ++i) {
    EXPECT_EQ(ranges.At("/PartitionKeyRanges/" + std::to_string(i) + "/minInclusive"),
              ranges.At("/PartitionKeyRanges/" + std::to_string(i - 1) + "/maxExclusive"));
  }
  for (const char* bad : {"0", "-2", "abc", "1.5"}) {
    EXPECT_EQ(Send("GET", "/dbs/db/colls/c/pkranges", "", {{"x-ms-max-item-count", bad}}).status, 400) << bad;
  }
  for (const char* good : {"-1", "1", "100"}) {
    EXPECT_EQ(Send("GET", "/dbs/db/colls/c/pkranges", "", {{"x-ms-max-item-count", good}}).At("/_count"), "4") << good;
  }
  Answer same = Send("GET", "/dbs/db/colls/c/pkranges", "", {{"if-none-match", ranges.headers["etag"]}});
  EXPECT_EQ(same.status, 304);
  EXPECT_EQ(same.headers["x-ms-item-count"], "0");
}

TEST_F(CatalogApiTest, QuotaIsShownWhenAskedFor) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p"})").status, 201);
  EXPECT_FALSE(Send("GET", "/dbs/db/colls/c").headers.contains("x-ms-resource-usage"));
  Answer read = Send("GET", "/dbs/db/colls/c", "", {{"x-ms-documentdb-populatequotainfo", "true"}});
  EXPECT_NE(read.headers["x-ms-resource-usage"].find("documentsCount=1;"), std::string::npos);
  EXPECT_EQ(read.headers["x-ms-resource-quota"],
            "functions=50;storedProcedures=100;triggers=25;documentSize=10240;documentsSize=10485760;"
            "documentsCount=-1;collectionSize=10485760;");
}

TEST_F(CatalogApiTest, TheNumberOfResourcesIsLimitedForThoseWhoAskForIt) {
  limits_ = {.resources_max = 4, .sharing_containers_max = 1};
  StartApi(AnyHost());
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})", {{"x-ms-offer-throughput", "400"}}).status, 201);
  const auto create = [&](const std::string& id, const Headers& headers = {}) {
    return Send("POST", "/dbs/db/colls", R"({"id":")" + id + R"(","partitionKey":{"paths":["/pk"]}})", headers);
  };
  EXPECT_EQ(create("a").status, 201);
  Answer second = create("b");
  EXPECT_EQ(second.status, 403);
  EXPECT_EQ(second.headers["x-ms-substatus"], "1019");
  EXPECT_EQ(create("b", {{"x-ms-offer-throughput", "400"}}).status, 201) << "it shares nothing";
  EXPECT_EQ(Send("POST", "/dbs", R"({"id":"other"})").status, 201);
  EXPECT_EQ(Send("POST", "/dbs", R"({"id":"more"})").status, 403);
  EXPECT_EQ(create("c", {{"x-ms-offer-throughput", "400"}}).status, 403);
  EXPECT_EQ(Send("GET", "/dbs").At("/_count"), "2");
  ASSERT_EQ(Send("DELETE", "/dbs/db/colls/a").status, 204);
  EXPECT_EQ(create("c").status, 201);
}

TEST_F(CatalogApiTest, KeyPathsHaveRules) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  for (const char* key :
       {R"({"paths":["/a b"]})", R"({"paths":["/a/"]})", R"({"paths":["/*"]})", R"({"paths":["/a/?"]})",
        R"({"paths":["/a/[]"]})", R"({"paths":["/a","/b/"],"kind":"MultiHash","version":2})",
        R"({"paths":["/a","/b c"],"kind":"MultiHash","version":2})"}) {
    Answer refused = Send("POST", "/dbs/db/colls", R"({"id":"c","partitionKey":)" + std::string(key) + "}");
    EXPECT_EQ(refused.status, 400) << key;
    EXPECT_NE(refused.Message().find("Partition key paths must contain only valid characters and not contain a "
                                     "trailing slash or wildcard character"),
              std::string::npos)
        << refused.body;
  }
  EXPECT_EQ(Send("GET", "/dbs/db/colls").At("/_count"), "0");
}

TEST_F(CatalogApiTest, OldClientsMakeContainersWithoutAKey) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  for (const char* version : {"", "2018-12-31", "2020-07-15", "2017", "zzzz-12-31"}) {
    Answer refused = Send("POST", "/dbs/db/colls", R"({"id":"c"})", {{"x-ms-version", version}});
    EXPECT_EQ(refused.status, 400) << version;
  }
  Answer made = Send("POST", "/dbs/db/colls", R"({"id":"c","defaultTtl":5})", {{"x-ms-version", "2018-06-18"}});
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.At("/partitionKey"), R"({"paths":["/_partitionKey"],"kind":"Hash","systemKey":true})");
  EXPECT_EQ(made.At("/defaultTtl"), "5");
  EXPECT_EQ(CreateItem(R"({"id":"1","pk":"p"})", "[]").status, 201);
  EXPECT_EQ(CreateItem(R"({"id":"2","pk":"q"})", "[{}]").status, 201);
  EXPECT_EQ(CreateItem(R"({"id":"1","pk":"q"})", "[{}]").status, 409) << "all items are of one key";
  EXPECT_EQ(ReadItem("1", "[{}]").status, 200);
  EXPECT_EQ(ReadItem("2", "[]").status, 200);
  EXPECT_EQ(OneItem("DELETE", "2", "", "[]").status, 204);
  Answer replaced = Send("PUT", "/dbs/db/colls/c", made.body);
  EXPECT_EQ(replaced.status, 200) << replaced.body;
  EXPECT_EQ(replaced.At("/partitionKey"), made.At("/partitionKey"));
}

TEST_F(CatalogApiTest, NamesHaveTheServicesRules) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  const auto refusal = [&](const std::string& path, const std::string& id) {
    Answer refused = Send("POST", path, R"({"id":")" + id + R"(","partitionKey":{"paths":["/pk"]}})");
    EXPECT_EQ(refused.status, 400) << id;
    return refused.Message();
  };
  for (const std::string& path : {std::string("/dbs"), std::string("/dbs/db/colls"), std::string("/dbs/db/users")}) {
    const std::string longest(255, 'n');
    EXPECT_EQ(refusal(path, longest + "n"),
              "\"The input name '" + std::string(100, 'n') +
                  "' is invalid. Ensure to provide a unique non-empty string less than '255' characters.\"");
    EXPECT_EQ(refusal(path, "a/b"), R"("The resource name presented contains invalid character '/'.")");
    EXPECT_EQ(refusal(path, "a?b"), R"("The resource name presented contains invalid character '?'.")");
    EXPECT_EQ(refusal(path, "a#b"), R"("The resource name presented contains invalid character '#'.")");
    EXPECT_EQ(refusal(path, "a "), R"("The resource name can't end with space.")");
    EXPECT_EQ(Send("POST", path, R"({"id":")" + longest + R"(","partitionKey":{"paths":["/pk"]}})").status, 201);
  }
}

}  // namespace
}  // namespace lapse::api::cosmos
