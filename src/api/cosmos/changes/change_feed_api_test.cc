// Tests the change feed through the API: where it begins, what it returns, how it resumes, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "api/cosmos/changes/change_feed_fixture.h"
#include "base/bytes.h"
#include "base/calendar.h"
#include "engine/records/ids/families.h"
#include "engine/records/items/item_keys.h"
#include "engine/shard/sweep/sweeper.h"

namespace lapse::api::cosmos {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ChangeFeedApiTest : public ChangeFeedFixture {
 protected:
  static std::string ItemJson(const std::string& id, const std::string& key) {
    std::string json = R"({"id":")";
    return json.append(id).append(R"(","pk":")").append(key).append(R"("})");
  }

  // Returns what it costs to read everything, page by page, from the change feed or from the feed of items.
  double CostOfAll(Headers headers, bool item_feed) {
    double total = 0;
    for (int page = 0; page < 100; ++page) {
      Answer answer = item_feed ? Send("GET", "/dbs/db/colls/c/docs", "", headers) : Changes(headers);
      total += std::stod(answer.headers["x-ms-request-charge"]);
      const std::string next = answer.headers[item_feed ? "x-ms-continuation" : "etag"];
      if (answer.status == 304 || next.empty()) return total;
      headers[item_feed ? "x-ms-continuation" : "If-None-Match"] = next;
    }
    ADD_FAILURE() << "no end";
    return total;
  }
  std::vector<double> CostsOfAll() {
    std::vector<double> costs;
    for (bool item_feed : {false, true}) {
      for (std::string items_max : {"10", "1000"}) {
        costs.push_back(CostOfAll({{"x-ms-max-item-count", items_max}}, item_feed));
      }
    }
    return costs;
  }

  // Creates 15,000 items, of which all but the live ones expire. Reads must cost the same before and after the purge.
  void CheckThatABacklogIsFree(const std::function<bool(int)>& lives) {
    MakeItems(R"("defaultTtl":10)");
    std::string document;
    ASSERT_TRUE(doc::JsonToBson(R"({"id":"1","pk":"p"})", {}, &document).ok());
    for (int i = 0; i < 15'000; ++i) {
      ASSERT_TRUE(Create(Find("c"), std::to_string(i), document, lives(i) ? -1 : 10).ok());
    }
    PassSeconds(10);
    const std::vector<double> with_backlog = CostsOfAll();
    while (engine_->SweepTurn()) continue;
    for (store::FamilyId family : {engine::kHeadFamily, engine::kBodyFamily}) {
      ASSERT_TRUE(shard_->Compact(family, {}, {}).ok());
    }
    const std::vector<double> without = CostsOfAll();
    for (size_t i = 0; i < without.size(); ++i) EXPECT_NEAR(with_backlog[i], without[i], 0.001) << i;
  }

  void MakeThreePartitions() {
    ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
    Answer made = Send("POST", "/dbs/db/colls", R"({"id":"c","partitionKey":{"paths":["/pk"],"version":2}})",
                       {{"x-ms-offer-throughput", "18000"}});
    ASSERT_EQ(made.status, 201) << made.body;
    for (int i = 0; i < 30; ++i) {
      ASSERT_EQ(CreateItem(ItemJson(std::to_string(i), std::to_string(i)), "").status, 201);
    }
  }

 private:
  Headers ModeHeaders() const override { return {{"A-IM", "Incremental Feed"}}; }
  // Returns the item's id.
  std::string Describe(const Answer& page, const std::string& record) const override {
    const std::string id = page.At(record + "/id");
    return id.substr(1, id.size() - 2);
  }
};

TEST_F(ChangeFeedApiTest, AnswersItemsWithTheirPlaceInTheFeed) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p","n":5})").status, 201);
  Answer page = Changes({});
  ASSERT_EQ(page.status, 200) << page.body;
  EXPECT_EQ(page.body,
            R"({"_rid":"AAAAAYAAAAE=","Documents":[{"id":"1","pk":"p","n":5,"_rid":"AAAAAYAAAAEBAAAAAAAAAA==",)"
            R"("_self":"dbs/AAAAAQ==/colls/AAAAAYAAAAE=/docs/AAAAAYAAAAEBAAAAAAAAAA==/",)"
            R"("_etag":"\"10000000-684e-e180-0000-000000000001\"","_attachments":"attachments/","_ts":1750000000,)"
            R"("_lsn":1}],"_count":1})");
  EXPECT_EQ(page.headers["etag"], R"("1")");
  EXPECT_EQ(page.headers["x-ms-item-count"], "1");
  EXPECT_EQ(page.headers["x-ms-session-token"], "0:1#1");
  EXPECT_EQ(page.headers["x-ms-content-path"], "AAAAAYAAAAE=");
  EXPECT_EQ(page.headers["x-ms-request-charge"], "1.06");
  EXPECT_FALSE(page.headers.contains("x-ms-continuation"));
}

TEST_F(ChangeFeedApiTest, AnswersEnvelopesToThoseWhoAskForThem) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p","n":5})").status, 201);
  const std::string bare = Changes({}).At("/Documents/0");
  const Headers format = {{"x-ms-cosmos-changefeed-wire-format-version", "2021-09-15"}};
  Answer page = Changes(format);
  ASSERT_EQ(page.status, 200) << page.body;
  EXPECT_EQ(page.At("/Documents/0"), R"({"current":)" + bare + R"(,"metadata":{"lsn":1,"crts":1750000000}})");
  EXPECT_EQ(page.headers["etag"], R"("1")") << "the places are the same";
  Headers on = format;
  on["If-None-Match"] = R"("1")";
  EXPECT_EQ(Changes(on).status, 304);
  EXPECT_EQ(Changes({{"x-ms-cosmos-changefeed-wire-format-version", ""}}).At("/Documents/0"), bare);
  EXPECT_EQ(Changes({{"x-ms-cosmos-changefeed-wire-format-version", "2020-01-01"}}).status, 400);
}

TEST_F(ChangeFeedApiTest, BeginsAtATimeInEitherNameOfItsZone) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p"})").status, 201);
  PassSeconds(10);
  ASSERT_EQ(CreateItem(R"({"id":"2","pk":"p"})").status, 201);
  for (std::string zone : {"GMT", "UTC"}) {
    EXPECT_THAT(ReadOn(Headers{{"If-Modified-Since", "Sun, 15 Jun 2025 15:06:50 " + zone}}), ElementsAre("2")) << zone;
  }
}

TEST_F(ChangeFeedApiTest, NotModifiedHasAContinuationAndNoBody) {
  MakeItems();
  Answer empty = Changes({});
  EXPECT_EQ(empty.status, 304);
  EXPECT_EQ(empty.body, "");
  EXPECT_EQ(empty.headers["etag"], R"("0")");
  EXPECT_EQ(empty.headers["x-ms-item-count"], "0");
  EXPECT_EQ(empty.headers["x-ms-session-token"], "0:1#0");
  EXPECT_EQ(empty.headers["x-ms-request-charge"], "1");
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p"})").status, 201);
  ASSERT_EQ(OneItem("DELETE", "1").status, 204);
  Answer deleted = Changes({{"If-None-Match", R"("0")"}});
  EXPECT_EQ(deleted.status, 304);
  EXPECT_EQ(deleted.headers["etag"], R"("2")");
}

TEST_F(ChangeFeedApiTest, AChainShowsTheLatestVersionsInOrderAndNoneTwice) {
  MakeItems();
  for (std::string id : {"a", "b", "c", "d", "e"}) {
    ASSERT_EQ(CreateItem(R"({"id":")" + id + R"(","pk":"p"})").status, 201);
  }
  ASSERT_EQ(UpsertItem(R"({"id":"b","pk":"p","v":2})").status, 200);
  Headers headers{{"x-ms-max-item-count", "2"}};
  Answer first = Changes(headers);
  EXPECT_THAT(ChangesOf(first), ElementsAre("a", "c"));
  headers["If-None-Match"] = first.headers["etag"];
  // An item that is rewritten before the feed reaches it moves to the end. One already returned is returned again.
  ASSERT_EQ(UpsertItem(R"({"id":"d","pk":"p","v":2})").status, 200);
  ASSERT_EQ(UpsertItem(R"({"id":"a","pk":"p","v":2})").status, 200);
  EXPECT_THAT(ReadOn(&headers), ElementsAre("e", "b", "d", "a"));
  EXPECT_THAT(ReadOn(&headers), IsEmpty());
  ASSERT_EQ(CreateItem(R"({"id":"f","pk":"p"})").status, 201);
  EXPECT_THAT(ReadOn(&headers), ElementsAre("f"));
}

TEST_F(ChangeFeedApiTest, BothSpellingsAreKnownAndOthersRefused) {
  MakeItems();
  for (std::string mode : {"Incremental Feed", "Incremental feed", "incremental feed"}) {
    EXPECT_EQ(Changes({{"A-IM", mode}}).status, 304) << mode;
  }
  EXPECT_EQ(Changes({{"A-IM", ""}}).status, 200) << "without a value it is no header: the items are listed";
  for (std::string mode : {"Incremental", "feed", "Full Fidelity Feed"}) {
    Answer refused = Changes({{"A-IM", mode}});
    EXPECT_EQ(refused.status, 400) << mode;
    EXPECT_THAT(refused.Message(), HasSubstr("A-IM")) << mode;
  }
}

TEST_F(ChangeFeedApiTest, BeginsNow) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"a","pk":"p"})").status, 201);
  Headers headers{{"If-None-Match", "*"}};
  EXPECT_THAT(ReadOn(&headers), IsEmpty());
  EXPECT_EQ(headers["If-None-Match"], R"("1")");
  ASSERT_EQ(CreateItem(R"({"id":"b","pk":"p"})").status, 201);
  EXPECT_THAT(ReadOn(&headers), ElementsAre("b"));
}

TEST_F(ChangeFeedApiTest, BeginsAtATime) {
  MakeItems();
  for (std::string id : {"a", "b", "c"}) {
    ASSERT_EQ(CreateItem(R"({"id":")" + id + R"(","pk":"p"})").status, 201);
    PassSeconds(10);
  }
  auto since = [&](int64_t unix_s) {
    return ReadOn(Headers{{"If-Modified-Since", Rfc1123Date(unix_s)}, {"x-ms-max-item-count", "1"}});
  };
  EXPECT_THAT(since(kStart_s - 1), ElementsAre("a", "b", "c"));
  EXPECT_THAT(since(kStart_s), ElementsAre("a", "b", "c"));
  EXPECT_THAT(since(kStart_s + 1), ElementsAre("b", "c"));
  EXPECT_THAT(since(kStart_s + 20), ElementsAre("c"));
  EXPECT_THAT(since(kStart_s + 21), IsEmpty());
  // Clients repeat the time with every continuation.
  Headers headers{{"If-Modified-Since", Rfc1123Date(kStart_s + 35)}};
  EXPECT_THAT(ReadOn(&headers), IsEmpty());
  ASSERT_EQ(CreateItem(R"({"id":"too soon","pk":"p"})").status, 201);
  PassSeconds(5);
  ASSERT_EQ(CreateItem(R"({"id":"d","pk":"p"})").status, 201);
  EXPECT_THAT(ReadOn(&headers), ElementsAre("d"));
}

TEST_F(ChangeFeedApiTest, RefusesPositionsThatAreNone) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"a","pk":"p"})").status, 201);
  for (std::string position : {"\"\"",
                               "\"",
                               "x",
                               "-1",
                               "+1",
                               "1.0",
                               "\"1",
                               "1\"",
                               " 1",
                               "\" 1\"",
                               "0x1",
                               "1,2",
                               "1+",
                               "1+0",
                               "1+-1",
                               "1+x",
                               "1+1+1",
                               "1+99999999999",
                               "**",
                               "\"*\"",
                               "99999999999999999999",
                               "\"10000000-684e-e180-0000-000000000001\""}) {
    Answer refused = Changes({{"If-None-Match", position}});
    EXPECT_EQ(refused.status, 400) << position;
    EXPECT_THAT(refused.Message(), HasSubstr("If-None-Match")) << position;
    EXPECT_FALSE(refused.headers.contains("etag"));
  }
  for (std::string position : {"2", "\"2\"", "18446744073709551615"}) {
    Answer refused = Changes({{"If-None-Match", position}});
    EXPECT_EQ(refused.status, 400) << position;
    EXPECT_THAT(refused.Message(), HasSubstr("ahead")) << position;
  }
  EXPECT_EQ(Changes({{"If-None-Match", "1"}}).status, 304);
  EXPECT_EQ(Changes({{"If-Modified-Since", ""}, {"If-None-Match", ""}}).status, 200) << "no value is no header";
  for (std::string date : {"yesterday", "1750000000", "2025-06-15T15:06:40Z", "Mon, 15 Jun 2025 15:06:40 GMT",
                           "Sun, 15 Jun 2025 15:06:40", "Sun, 31 Jun 2025 15:06:40 GMT"}) {
    Answer refused = Changes({{"If-Modified-Since", date}});
    EXPECT_EQ(refused.status, 400) << date;
    EXPECT_THAT(refused.Message(), HasSubstr("If-Modified-Since")) << date;
  }
  for (std::string count : {"0", "-2", "x", "1.5"}) {
    EXPECT_EQ(Changes({{"x-ms-max-item-count", count}}).status, 400) << count;
  }
}

TEST_F(ChangeFeedApiTest, RefusesARepeatedMode) {
  MakeItems();
  EXPECT_EQ(Changes({{"a-im", "Incremental Feed"}}).status, 400);  // `Changes` adds `A-IM`
}

TEST_F(ChangeFeedApiTest, ReadsOneKey) {
  MakeItems();
  int id = 0;
  for (std::string key : {"p", "q", "p", "q"}) {
    ASSERT_EQ(CreateItem(ItemJson(std::to_string(id++), key), "").status, 201);
  }
  EXPECT_THAT(ReadOn(Headers{{"x-ms-documentdb-partitionkey", R"(["p"])"}}), ElementsAre("0", "2"));
  EXPECT_THAT(ReadOn(Headers{{"x-ms-documentdb-partitionkey", R"(["q"])"}, {"x-ms-max-item-count", "1"}}),
              ElementsAre("1", "3"));
  EXPECT_THAT(ReadOn(Headers{{"x-ms-documentdb-partitionkey", R"(["none"])"}}), IsEmpty());
  EXPECT_EQ(Changes({{"x-ms-documentdb-partitionkey", R"(["p","q"])"}}).status, 400);
  EXPECT_EQ(Changes({{"x-ms-documentdb-partitionkey", "p"}}).status, 400);
}

TEST_F(ChangeFeedApiTest, ReadsAPrefixOfAHierarchicalKey) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  Answer made =
      Send("POST", "/dbs/db/colls", R"({"id":"c","partitionKey":{"paths":["/t","/u"],"kind":"MultiHash","version":2}})",
           {{"x-ms-offer-throughput", "18000"}});
  ASSERT_EQ(made.status, 201) << made.body;
  int id = 0;
  for (std::string keys : {R"("t":"x","u":1)", R"("t":"x","u":2)", R"("t":"y","u":1)"}) {
    ASSERT_EQ(CreateItem(R"({"id":")" + std::to_string(id++) + R"(",)" + keys + "}", "").status, 201);
  }
  EXPECT_THAT(ReadOn(Headers{{"x-ms-documentdb-partitionkey", R"(["x"])"}}), ElementsAre("0", "1"));
  EXPECT_THAT(ReadOn(Headers{{"x-ms-documentdb-partitionkey", R"(["y"])"}}), ElementsAre("2"));
  EXPECT_THAT(ReadOn(Headers{{"x-ms-documentdb-partitionkey", R"(["x",2])"}}), ElementsAre("1"));
}

TEST_F(ChangeFeedApiTest, ReadsRangesOfPartitions) {
  MakeThreePartitions();
  std::multiset<std::string> by_id;
  std::multiset<std::string> by_halves;
  for (const auto& partition : Find("c")->partitions()) {
    Headers headers{{"x-ms-documentdb-partitionkeyrangeid", std::to_string(partition->number())},
                    {"x-ms-max-item-count", "4"}};
    for (std::string& id : ReadOn(&headers)) by_id.insert(std::move(id));
    // A range that the client splits in two.
    std::string middle = partition->range().min + std::string(partition->range().min.empty() ? 1 : 2, '\x08');
    for (auto [start, end] : {std::pair(partition->range().min, middle), std::pair(middle, partition->range().max)}) {
      Headers half{{"x-ms-documentdb-partitionkeyrangeid", std::to_string(partition->number())},
                   {"x-ms-read-key-type", "EffectivePartitionKeyRange"},
                   {"x-ms-start-epk", HexUpper(start)},
                   {"x-ms-end-epk", HexUpper(end)}};
      for (std::string& id : ReadOn(&half)) by_halves.insert(std::move(id));
    }
  }
  EXPECT_EQ(by_id.size(), 30U);
  EXPECT_EQ(std::set(by_id.begin(), by_id.end()).size(), 30U);
  EXPECT_EQ(by_halves, by_id);
}

TEST_F(ChangeFeedApiTest, AScopeOverSeveralPartitionsIsRefused) {
  MakeThreePartitions();
  Answer whole = Changes({});
  EXPECT_EQ(whole.status, 400);
  EXPECT_EQ(whole.headers["x-ms-substatus"], "1004");
  EXPECT_THAT(whole.Message(), HasSubstr("x-ms-documentdb-partitionkeyrangeid"));
  // As after a split, the client reloads the ranges.
  Answer by_keys = Changes({{"x-ms-start-epk", ""}, {"x-ms-end-epk", "FF"}});
  EXPECT_EQ(by_keys.status, 410);
  EXPECT_EQ(by_keys.headers["x-ms-substatus"], "1002");
  Answer beyond =
      Changes({{"x-ms-documentdb-partitionkeyrangeid", "0"}, {"x-ms-start-epk", "10"}, {"x-ms-end-epk", "30"}});
  EXPECT_EQ(beyond.status, 410);
  EXPECT_EQ(beyond.headers["x-ms-substatus"], "1002");
  EXPECT_EQ(Changes({{"x-ms-documentdb-partitionkeyrangeid", "7"}}).status, 410);
  EXPECT_EQ(Changes({{"x-ms-documentdb-partitionkeyrangeid", "x"}}).status, 400);
}

TEST_F(ChangeFeedApiTest, ARangeWithoutTheKeyIsGone) {
  MakeThreePartitions();
  int gone = 0;
  for (std::string range : {"0", "1", "2"}) {
    Answer answer =
        Changes({{"x-ms-documentdb-partitionkeyrangeid", range}, {"x-ms-documentdb-partitionkey", R"(["1"])"}});
    EXPECT_TRUE(answer.status == 200 || answer.status == 410) << answer.body;
    gone += answer.status == 410 ? 1 : 0;
  }
  EXPECT_EQ(gone, 2);
}

TEST_F(ChangeFeedApiTest, LeavesOutWhatHasExpiredFromThatSecondOn) {
  MakeItems(R"("defaultTtl":10)");
  ASSERT_EQ(CreateItem(R"({"id":"inherits","pk":"p"})").status, 201);
  ASSERT_EQ(CreateItem(R"({"id":"own","pk":"p","ttl":20})").status, 201);
  ASSERT_EQ(CreateItem(R"({"id":"stays","pk":"p","ttl":-1})").status, 201);
  PassSeconds(9);
  EXPECT_THAT(ReadOn(Headers{}), ElementsAre("inherits", "own", "stays"));
  PassSeconds(1);
  EXPECT_THAT(ReadOn(Headers{}), ElementsAre("own", "stays"));
  PassSeconds(10);
  EXPECT_THAT(ReadOn(Headers{}), ElementsAre("stays"));
  engine_->SweepTurn();
  EXPECT_THAT(ReadOn(Headers{}), ElementsAre("stays"));
}

TEST_F(ChangeFeedApiTest, WhatHasExpiredDoesNotComeBackWithAnotherPolicy) {
  MakeItems(R"("defaultTtl":10)");
  ASSERT_EQ(CreateItem(R"({"id":"old","pk":"p"})").status, 201);
  PassSeconds(10);
  ASSERT_EQ(CreateItem(R"({"id":"new","pk":"p"})").status, 201);
  for (std::string ttl : {R"(,"defaultTtl":1000)", R"(,"defaultTtl":-1)", ""}) {
    std::string body = R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2})" + ttl + "}";
    ASSERT_EQ(Send("PUT", "/dbs/db/colls/c", body).status, 200);
    EXPECT_THAT(ReadOn(Headers{}), ElementsAre("new")) << ttl;
  }
}

TEST_F(ChangeFeedApiTest, APageThatPassedOverALotSaysThatThereMayBeMore) {
  MakeItems(R"("defaultTtl":10)");
  engine::ContainerPtr container = Find("c");
  for (int i = 0; i < 10'001; ++i) ASSERT_TRUE(Create(container, std::to_string(i), "dies").ok());
  PassSeconds(10);
  ASSERT_EQ(CreateItem(R"({"id":"lives","pk":"p"})").status, 201);
  Answer passed_over = Changes({});
  EXPECT_EQ(passed_over.status, 200);
  EXPECT_EQ(passed_over.At("/_count"), "0");
  EXPECT_EQ(passed_over.headers["etag"], R"("10000")");
  EXPECT_THAT(ReadOn(Headers{{"If-None-Match", passed_over.headers["etag"]}}), ElementsAre("lives"));
}

TEST_F(ChangeFeedApiTest, ABacklogAmongWhatLivesCostsReadersNothing) {
  CheckThatABacklogIsFree([](int i) { return i % 300 == 0; });
}

TEST_F(ChangeFeedApiTest, ABacklogBehindWhatLivesCostsReadersNothing) {
  CheckThatABacklogIsFree([](int i) { return i < 25; });
}

TEST_F(ChangeFeedApiTest, ABacklogBeforeWhatLivesCostsReadersNothing) {
  CheckThatABacklogIsFree([](int i) { return i >= 14'975; });
}

TEST_F(ChangeFeedApiTest, PassingOverOtherKeysIsPaidFor) {
  MakeItems();
  const std::string empty_document("\x05\0\0\0\0", 5);
  for (int i = 0; i < 10'001; ++i) ASSERT_TRUE(Create(Find("c"), std::to_string(i), empty_document).ok());
  Answer passed_over = Changes({{"x-ms-documentdb-partitionkey", R"(["none"])"}});
  EXPECT_EQ(passed_over.status, 200);
  EXPECT_EQ(passed_over.At("/_count"), "0");
  EXPECT_EQ(passed_over.headers["x-ms-request-charge"], "1");
}

TEST_F(ChangeFeedApiTest, BeginsAtDatesBeforeAllTime) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p"})").status, 201);
  for (std::string date : {"Wed, 31 Dec 1969 23:59:59 GMT", "Mon, 01 Jan 0001 00:00:00 GMT"}) {
    EXPECT_THAT(ReadOn(Headers{{"If-Modified-Since", date}}), ElementsAre("1")) << date;
  }
  for (std::string date : {"Thu, 31 Dec 1969 23:59:59 GMT", "Sat, 00 Jan 0000 00:00:00 GMT"}) {
    EXPECT_EQ(Changes({{"If-Modified-Since", date}}).status, 400) << date;
  }
}

TEST_F(ChangeFeedApiTest, PagesAreBoundedInBytes) {
  MakeItems();
  std::string text(1024 * 1024, 'x');
  for (int i = 0; i < 6; ++i) {
    ASSERT_EQ(CreateItem(R"({"id":")" + std::to_string(i) + R"(","pk":"p","text":")" + text + R"("})").status, 201);
  }
  Answer first = Changes({{"x-ms-max-item-count", "1000"}});
  EXPECT_THAT(ChangesOf(first), ElementsAre("0", "1", "2"));
  EXPECT_THAT(ReadOn(Headers{}), ElementsAre("0", "1", "2", "3", "4", "5"));
}

TEST_F(ChangeFeedApiTest, ShowsItsOwnPlaceForAPropertyOfThatName) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p","_lsn":77})").status, 201);
  Answer page = Changes({});
  EXPECT_EQ(page.At("/Documents/0/_lsn"), "1");
  EXPECT_EQ(page.body.find("77"), std::string::npos);
  EXPECT_EQ(ReadItem("1").At("/_lsn"), "77");
}

TEST_F(ChangeFeedApiTest, Sessions) {
  MakeItems();
  ASSERT_EQ(CreateItem(R"({"id":"1","pk":"p"})").status, 201);
  EXPECT_EQ(Changes({{"x-ms-session-token", "0:1#1"}}).status, 200);
  Answer ahead = Changes({{"x-ms-session-token", "0:1#2"}});
  EXPECT_EQ(ahead.status, 404);
  EXPECT_EQ(ahead.headers["x-ms-substatus"], "1002");
  EXPECT_EQ(Changes({{"x-ms-session-token", "x"}}).status, 400);
}

TEST_F(ChangeFeedApiTest, OfAContainerThatIsNotThere) {
  MakeItems();
  EXPECT_EQ(Send("GET", "/dbs/db/colls/none/docs", "", {{"A-IM", "Incremental Feed"}}).status, 404);
}

TEST_F(ChangeFeedApiTest, AReadOnlyKeyIsEnough) {
  MakeItems();
  EXPECT_EQ(SendWithKey(kTestReadOnlyKey, "GET", "/dbs/db/colls/c/docs", "", {{"A-IM", "Incremental Feed"}}).status,
            304);
}

}  // namespace
}  // namespace lapse::api::cosmos
