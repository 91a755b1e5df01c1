// Tests the change feed of all versions and deletes through the API: its records, where it may begin, what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/cosmos/changes/change_feed_fixture.h"
#include "base/calendar.h"
#include "engine/shard/sweep/sweeper.h"

namespace lapse::api::cosmos {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kKeepAnHour = R"("changeFeedPolicy":{"retentionDuration":60})";

std::string NamedItem(std::string_view name) {
  return std::string(R"({"id":")").append(name).append(R"(","pk":")").append(name).append(R"("})");
}

class ChangeFeedFullApiTest : public ChangeFeedFixture {
 protected:
  void MakeLogged(const std::string& more = "") {
    MakeItems(std::string(kKeepAnHour) + (more.empty() ? "" : "," + more));
  }

  Answer ChangesAfter(const std::string& position) { return Changes({{"If-None-Match", position}}); }

  Answer SetContainer(const std::string& more) {
    return Send("PUT", "/dbs/db/colls/c",
                R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2})" + more + "}");
  }

 private:
  Headers ModeHeaders() const override {
    return {{"A-IM", "Full-Fidelity Feed"}, {"x-ms-cosmos-changefeed-wire-format-version", "2021-09-15"}};
  }
  // "operation id lsn<previous @crts".
  std::string Describe(const Answer& page, const std::string& record) const override {
    std::string operation = page.At(record + "/metadata/operationType");
    bool gone = operation == R"("delete")";
    std::string event = page.At(record + "/metadata/timeToLiveExpired") == "true" ? "expiry" : operation;
    event += " " + page.At(record + (gone ? "/previous/id" : "/current/id"));
    event += " " + page.At(record + "/metadata/lsn") + "<" + page.At(record + "/metadata/previousImageLSN");
    event += " @" + std::to_string(std::stoll(page.At(record + "/metadata/crts")) - kStart_s);
    std::erase(event, '"');
    return event;
  }
};

TEST_F(ChangeFeedFullApiTest, TheRecordOfEachOperation) {
  MakeLogged(R"("defaultTtl":10)");
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p","n":1})").status, 201);
  PassSeconds(1);
  ASSERT_EQ(UpsertItem(R"({"id":"1","pk":"p","n":2})").status, 200);
  PassSeconds(1);
  ASSERT_EQ(OneItem("DELETE", "1").status, 204);
  const std::string system =
      R"("_rid":"AAAAAYAAAAEBAAAAAAAAAA==","_self":"dbs/AAAAAQ==/colls/AAAAAYAAAAE=/docs/AAAAAYAAAAEBAAAAAAAAAA==/",)";
  const std::string first = R"({"id":"1","pk":"p","n":1,)" + system +
                            R"("_etag":"\"10000000-684e-e180-0000-000000000001\"","_attachments":"attachments/",)"
                            R"("_ts":1750000000})";
  const std::string second = R"({"id":"1","pk":"p","n":2,)" + system +
                             R"("_etag":"\"10000000-684e-e181-0000-000000000002\"","_attachments":"attachments/",)"
                             R"("_ts":1750000001})";
  Answer page = ChangesAfter(R"("0")");
  ASSERT_EQ(page.status, 200) << page.body;
  EXPECT_EQ(page.body,
            R"({"_rid":"AAAAAYAAAAE=","Documents":[)"
            R"({"current":)" +
                first + R"(,"metadata":{"lsn":1,"crts":1750000000,"operationType":"create"}},)" + R"({"current":)" +
                second + R"(,"previous":)" + first +
                R"(,"metadata":{"lsn":2,"crts":1750000001,"operationType":"replace","previousImageLSN":1}},)" +
                R"({"current":{},"previous":)" + second +
                R"(,"metadata":{"lsn":3,"crts":1750000002,"operationType":"delete","previousImageLSN":2,)"
                R"("id":"1","partitionKey":{"pk":"p"}}}],"_count":3})");
  EXPECT_EQ(page.headers["etag"], R"("3")");
  EXPECT_EQ(page.headers["x-ms-item-count"], "3");
  EXPECT_EQ(page.headers["x-ms-session-token"], "0:1#3");
  EXPECT_EQ(page.headers["x-ms-request-charge"], "1.18");
}

TEST_F(ChangeFeedFullApiTest, TheRecordOfAnExpiry) {
  MakeLogged(R"("defaultTtl":10)");
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p"})").status, 201);
  PassSeconds(25);
  engine_->SweepTurn();
  Answer page = ChangesAfter(R"("1")");
  ASSERT_EQ(page.status, 200) << page.body;
  EXPECT_EQ(page.At("/_count"), "1");
  EXPECT_EQ(page.At("/Documents/0/current"), "{}");
  EXPECT_EQ(page.At("/Documents/0/previous/_ts"), std::to_string(kStart_s));
  EXPECT_EQ(page.At("/Documents/0/metadata"), R"({"lsn":2,"crts":1750000010,"operationType":"delete",)"
                                              R"("timeToLiveExpired":true,"previousImageLSN":1,"id":"1",)"
                                              R"("partitionKey":{"pk":"p"}})");
}

TEST_F(ChangeFeedFullApiTest, ShowsOwnTimesToLivePolicyChangesAndWhatIsWrittenOverTheDead) {
  MakeLogged(R"("defaultTtl":-1)");
  Headers headers{{"If-None-Match", "*"}, {"x-ms-max-item-count", "2"}};
  EXPECT_THAT(ReadOn(&headers), IsEmpty());
  ASSERT_EQ(CreateItem(R"({"id":"own","pk":"p","ttl":5})").status, 201);
  ASSERT_EQ(CreateItem(R"({"id":"inherits","pk":"p"})").status, 201);
  ASSERT_EQ(CreateItem(R"({"id":"over","pk":"p","ttl":7})").status, 201);
  EXPECT_THAT(ReadOn(&headers), ElementsAre("create own 1< @0", "create inherits 2< @0", "create over 3< @0"));
  PassSeconds(20);
  ASSERT_EQ(CreateItem(R"({"id":"over","pk":"p","ttl":-1})").status, 201);
  EXPECT_THAT(ReadOn(&headers), ElementsAre("expiry over 4<3 @7", "create over 5< @20"));
  ASSERT_EQ(SetContainer(R"(,"defaultTtl":10,)" + std::string(kKeepAnHour)).status, 200);
  PassSeconds(20);
  engine_->SweepTurn();
  EXPECT_THAT(ReadOn(&headers), testing::UnorderedElementsAre(testing::MatchesRegex("expiry own [0-9]+<1 @5"),
                                                              testing::MatchesRegex("expiry inherits [0-9]+<2 @20")));
  EXPECT_THAT(ReadOn(&headers), IsEmpty());
}

TEST_F(ChangeFeedFullApiTest, BeginsNowOrGoesOnAndNoOtherWay) {
  MakeLogged();
  ASSERT_EQ(CreateItem(R"({"id":"a","pk":"p"})").status, 201);
  Headers headers{{"If-None-Match", "*"}};
  EXPECT_THAT(ReadOn(&headers), IsEmpty());
  EXPECT_EQ(headers["If-None-Match"], R"("1")");
  ASSERT_EQ(CreateItem(R"({"id":"b","pk":"p"})").status, 201);
  EXPECT_THAT(ReadOn(&headers), ElementsAre("create b 2< @0"));

  std::string date = Rfc1123Date(kStart_s);
  for (const Headers& start : {Headers{}, Headers{{"If-Modified-Since", date}},
                               Headers{{"If-Modified-Since", date}, {"If-None-Match", R"("1")"}}}) {
    Answer refused = Changes(start);
    EXPECT_EQ(refused.status, 400);
    EXPECT_THAT(refused.Message(), HasSubstr("cannot start from the beginning or from a time"));
  }
  for (std::string position : {"", "x", "-1", "**"}) EXPECT_EQ(ChangesAfter(position).status, 400) << position;
  EXPECT_THAT(ChangesAfter("3").Message(), HasSubstr("ahead"));
}

TEST_F(ChangeFeedFullApiTest, KnowsOneFormatOnTheWire) {
  MakeLogged();
  Answer refused = Changes({{"If-None-Match", "*"}, {"x-ms-cosmos-changefeed-wire-format-version", "2020-01-01"}});
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.Message(), HasSubstr("2021-09-15"));
  Answer unsaid = Send("GET", "/dbs/db/colls/c/docs", "", {{"A-IM", "full-fidelity feed"}, {"If-None-Match", "*"}});
  EXPECT_EQ(unsaid.status, 304);
}

TEST_F(ChangeFeedFullApiTest, NeedsAContainerThatKeepsVersions) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"a","pk":"p"})").status, 201);
  for (std::string position : {"*", "0", "1"}) {
    Answer refused = ChangesAfter(position);
    EXPECT_EQ(refused.status, 400);
    EXPECT_THAT(refused.Message(), HasSubstr("changeFeedPolicy"));
  }
  ASSERT_EQ(SetContainer("," + std::string(kKeepAnHour)).status, 200);
  EXPECT_THAT(ChangesAfter("0").Message(), HasSubstr("older than"));
  Headers headers{{"If-None-Match", "*"}};
  EXPECT_THAT(ReadOn(&headers), IsEmpty());
  ASSERT_EQ(UpsertItem(R"({"id":"a","pk":"p"})").status, 200);
  EXPECT_THAT(ReadOn(&headers), ElementsAre("replace a 2<1 @0"));
  Answer bad = SetContainer(R"(,"changeFeedPolicy":{"retentionDuration":-1})");
  EXPECT_EQ(bad.status, 400);
  ASSERT_EQ(OneItem("DELETE", "a").status, 204);
  EXPECT_THAT(ReadOn(&headers), ElementsAre("delete a 3<2 @0")) << "a change that was refused changed nothing";
  ASSERT_EQ(SetContainer("").status, 200);
  EXPECT_THAT(Changes(headers).Message(), HasSubstr("changeFeedPolicy"));
}

TEST_F(ChangeFeedFullApiTest, APositionOlderThanWhatIsKeptIsRefused) {
  MakeLogged();
  ASSERT_EQ(CreateItem(R"({"id":"a","pk":"p"})").status, 201);
  PassSeconds(3600 / 2);
  ASSERT_EQ(CreateItem(R"({"id":"b","pk":"p"})").status, 201);
  PassSeconds(3600 * 7 / 10);
  engine_->SweepTurn();
  Answer refused = ChangesAfter("0");
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.Message(), HasSubstr("older than what the container's changeFeedPolicy keeps"));
  EXPECT_FALSE(refused.headers.contains("etag"));
  EXPECT_THAT(ReadOn(Headers{{"If-None-Match", "1"}}), ElementsAre("create b 2< @1800"));
}

TEST_F(ChangeFeedFullApiTest, ALogThatBeginsBehindAPartitionsLastWrite) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  ASSERT_EQ(Send("POST", "/dbs/db/colls", R"({"id":"c","partitionKey":{"paths":["/pk"],"version":2}})",
                 {{"x-ms-offer-throughput", "18000"}})
                .status,
            201);
  for (int i = 0; i < 20; ++i) {
    std::string name = std::to_string(i);
    ASSERT_EQ(CreateItem(NamedItem(name), "").status, 201);
  }
  ASSERT_EQ(SetContainer("," + std::string(kKeepAnHour)).status, 200);
  std::vector<Headers> feeds;
  for (const auto& partition : Find("c")->partitions()) {
    Headers& headers = feeds.emplace_back(
        Headers{{"x-ms-documentdb-partitionkeyrangeid", std::to_string(partition->number())}, {"If-None-Match", "*"}});
    EXPECT_THAT(ReadOn(&headers), IsEmpty());
    EXPECT_THAT(ReadOn(&headers), IsEmpty()) << "where it begins is a place to go on from";
  }
  std::vector<std::string> expected;
  for (int i = 0; i < 20; ++i) {
    std::string name = std::to_string(i);
    ASSERT_EQ(UpsertItem(NamedItem(name), "").status, 200);
    expected.push_back("replace " + name);
  }
  std::vector<std::string> seen;
  for (Headers& headers : feeds) {
    // After the kind and the name there are LSNs, which each partition counts for itself.
    for (const std::string& event : ReadOn(&headers))
      seen.push_back(event.substr(0, event.rfind(' ', event.find('<'))));
  }
  EXPECT_THAT(seen, testing::UnorderedElementsAreArray(expected));
}

TEST_F(ChangeFeedFullApiTest, ReadsOneKey) {
  MakeLogged();
  ASSERT_EQ(CreateItem(R"({"id":"a","pk":"p"})").status, 201);
  ASSERT_EQ(CreateItem(R"({"id":"b","pk":"q"})", R"(["q"])").status, 201);
  ASSERT_EQ(OneItem("DELETE", "a").status, 204);
  Headers of_p{{"x-ms-documentdb-partitionkey", R"(["p"])"}, {"If-None-Match", "0"}, {"x-ms-max-item-count", "1"}};
  EXPECT_THAT(ReadOn(of_p), ElementsAre("create a 1< @0", "delete a 3<1 @0"));
  Headers of_q{{"x-ms-documentdb-partitionkey", R"(["q"])"}, {"If-None-Match", "0"}};
  EXPECT_THAT(ReadOn(of_q), ElementsAre("create b 2< @0"));
}

TEST_F(ChangeFeedFullApiTest, ADeleteNamesTheKeyByItsPaths) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  struct Case {
    std::string key;
    std::string item;
    std::string header;
    std::string shown;
  };
  const std::vector<Case> cases = {
      {R"(["/a/b"],"kind":"Hash")", R"("a":{"b":1.5})", "[1.5]", R"({"a/b":1.5})"},
      {R"(["/pk"],"kind":"Hash")", R"("pk":5)", "[5]", R"({"pk":5})"},
      {R"(["/pk"],"kind":"Hash")", R"("pk":null)", "[null]", R"({"pk":null})"},
      {R"(["/pk"],"kind":"Hash")", R"("other":1)", "[{}]", "{}"},
      {R"(["/pk"],"kind":"Hash")", R"("pk":"a\"\u00e4")", R"(["a\"\u00e4"])", "{\"pk\":\"a\\\"\u00e4\"}"},
      {R"(["/\"x y\""],"kind":"Hash")", R"("x y":true)", "[true]", R"({"x y":true})"},
      {R"(["/t","/u/v","/w"],"kind":"MultiHash")", R"("t":"x","u":{"v":2},"w":false)", R"(["x",2,false])",
       R"({"t":"x","u/v":2,"w":false})"},
      {R"(["/t","/u"],"kind":"MultiHash")", R"("t":"x")", R"(["x",{}])", R"({"t":"x"})"},
  };
  for (const Case& c : cases) {
    std::string body = R"({"id":"c","partitionKey":{"paths":)" + c.key + R"(,"version":2},)" + std::string(kKeepAnHour);
    ASSERT_EQ(Send("POST", "/dbs/db/colls", body + "}").status, 201) << c.key;
    ASSERT_EQ(CreateItem(R"({"id":"1",)" + c.item + "}", c.header).status, 201) << c.item;
    ASSERT_EQ(OneItem("DELETE", "1", "", c.header).status, 204) << c.item;
    Answer page = ChangesAfter("1");
    EXPECT_EQ(page.At("/Documents/0/metadata/id"), R"("1")");
    EXPECT_EQ(page.At("/Documents/0/metadata/partitionKey"), c.shown);
    ASSERT_EQ(Send("DELETE", "/dbs/db/colls/c").status, 204);
  }
}

TEST_F(ChangeFeedFullApiTest, AReadOnlyKeyIsEnough) {
  MakeLogged();
  EXPECT_EQ(SendWithKey(kTestReadOnlyKey, "GET", "/dbs/db/colls/c/docs", "",
                        {{"A-IM", "Full-Fidelity Feed"}, {"If-None-Match", "*"}})
                .status,
            304);
}

}  // namespace
}  // namespace lapse::api::cosmos
