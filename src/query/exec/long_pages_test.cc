// Tests pages that take longer than a page may: they end without results, and later pages resume them.
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "doc/json.h"
#include "engine/partition/index/index_fixture.h"
#include "query/exec/items/test_items.h"
#include "query/exec/positions/page_position.h"
#include "query/exec/query_page.h"
#include "query/sql/bind.h"
#include "query/sql/parse.h"
#include "query/values/json_text.h"
#include "query/values/memory_pool.h"

namespace lapse::query::exec {
namespace {

using engine::ItemWrite;

class LongPagesTest : public engine::IndexFixture {
 protected:
  // Three partitions.
  void SetUp() override {
    rate_limiting_ = engine::RateLimiting::kOff;
    Restart();
    MakeIndexed(Policy({"*"}, {}), -1, 18'000);
    ASSERT_EQ(Find("c")->partitions().size(), 3u);
  }

  void Write(std::string_view id, std::string_view json, std::optional<int32_t> ttl = std::nullopt) {
    ItemWrite write;
    write.kind = ItemWrite::Kind::kUpsert;
    write.address = Address(*Find("c"), id, id);
    write.document = Bson(json);
    write.own_ttl = ttl;
    ASSERT_TRUE(EngineFixture::Write(Find("c"), std::move(write)).ok());
  }
  // Writes items 0 to count - 1 in an order other than that of n.
  void WriteMany(int count) {
    for (int i = 0; i < count; ++i) {
      const int n = i * 7 % count;
      Write("i" + std::to_string(i), R"({"id":"i)" + std::to_string(i) + R"(","n":)" + std::to_string(n) + R"(,"g":)" +
                                         std::to_string(n % 5) + R"(,"t":[)" + std::to_string(n % 3) +
                                         R"(,1,2],"s":"text )" + std::to_string(n % 4) + R"("})");
    }
  }

  // Writes items with 1,000 bytes, which few of them share.
  void WriteLong(int count) {
    for (int i = 0; i < count; ++i) {
      const std::string id = "i" + std::to_string(i);
      Write(id, R"({"id":")" + id + R"(","g":")" + std::string(1000, static_cast<char>('a' + i % 26)) + "\"}");
    }
  }

  struct Page {
    std::vector<std::string> results;
    std::string resume_after;
    Status status;
  };

  Page ReadPage(std::string_view text, const std::string& after, int results_max = 4) {
    const Result<sql::SyntaxTree> tree = sql::Parse(text);
    EXPECT_TRUE(tree.ok()) << text;
    const Result<plan::Plan> plan = sql::Bind(*tree, {});
    EXPECT_TRUE(plan.ok()) << text << plan.status().ToString();
    Page page;
    QueryOptions options;
    options.after = after;
    options.results_max = results_max;
    options.use_index = use_index_;
    options.settings.pool = &pool_;
    options.scan_states = scan_states_;
    options.let_others = let_others_;
    if (only_key_.has_value()) options.scope.exact = Address(*Find("c"), *only_key_, "").key;
    const auto take = [&](Value result, engine::Place) {
      AppendJson(result, &page.results.emplace_back());
      return true;
    };
    engine::RequestMeter meter;
    const TestRules rules([&] { return std::make_unique<SlowItem>(&steady_, takes_ms_); });
    Result<QueryPage> read = ReadQueryPage(*plan, *Find("c"), options, rules, take, &meter);
    page.status = read.status();
    if (!read.ok()) return page;
    page.resume_after = read->resume_after;
    charge_ += meter.milli_ru();
    return page;
  }

  // Returns all results. Calls meanwhile_ between two pages.
  std::string Ask(std::string_view text, int results_max = 4) {
    std::string all;
    std::string after;
    pages_ = empty_pages_ = 0;
    charge_ = 0;
    do {
      const Page page = ReadPage(text, after, results_max);
      if (!page.status.ok()) return page.status.ToString();
      for (const std::string& result : page.results) all += result + "\n";
      after = page.resume_after;
      ++pages_;
      if (page.results.empty() && !after.empty()) ++empty_pages_;
      if (meanwhile_) meanwhile_();
    } while (!after.empty() && pages_ < 10'000);
    EXPECT_EQ(after, "") << "no end: " << text;
    return all;
  }

  // Expects the same results at the same price if each item takes this long.
  void ExpectSame(std::string_view text, int64_t takes_ms = 1000, int results_max = 4) {
    takes_ms_ = 0;
    const std::string wanted = Ask(text, results_max);
    const int64_t charge = charge_;
    takes_ms_ = takes_ms;
    EXPECT_EQ(Ask(text, results_max), wanted) << text;
    EXPECT_GT(empty_pages_, 0) << text;
    EXPECT_EQ(charge_, charge) << text;
  }

  int64_t takes_ms_ = 0;  // to read an item; a page has 5,000
  bool use_index_ = true;
  std::optional<std::string> only_key_;
  std::function<void()> meanwhile_;
  std::function<void()> let_others_;
  MemoryPool pool_{size_t{64} << 20};
  ScanStateCache* scan_states_ = nullptr;
  int pages_ = 0;
  int empty_pages_ = 0;
  int64_t charge_ = 0;
};

constexpr std::string_view kQueries[] = {
    "SELECT VALUE COUNT(1) FROM c WHERE c.n % 2 = 0",
    "SELECT COUNT(1) AS a, SUM(c.n) AS b, AVG(c.n) AS d, MIN(c.s) AS e, MAX(c.n) AS f FROM c WHERE c.n % 2 = 0",
    "SELECT c.g, COUNT(1) AS k, SUM(c.n) AS s FROM c GROUP BY c.g",
    "SELECT c.missing, COUNT(1) AS k FROM c JOIN t IN c.t GROUP BY c.missing",
    "SELECT DISTINCT VALUE c.g FROM c",
    "SELECT DISTINCT c.g, c.s FROM c",
    "SELECT DISTINCT VALUE c.g FROM c ORDER BY c.g DESC",
    "SELECT VALUE c.n FROM c ORDER BY c.n",
    "SELECT VALUE c.n FROM c WHERE c.g > 1 ORDER BY c.n DESC",
    "SELECT VALUE [c.n, t] FROM c JOIN t IN c.t ORDER BY c.n",
    "SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 3 LIMIT 7",
    "SELECT TOP 3 VALUE c.n FROM c ORDER BY c.s DESC",
};

TEST_F(LongPagesTest, AnswersAndPricesAreThoseOfPagesWithEnoughTime) {
  WriteMany(40);
  use_index_ = false;
  for (const std::string_view query : kQueries) ExpectSame(query);
}

TEST_F(LongPagesTest, TheSameByIndex) {
  WriteMany(40);
  for (const std::string_view query : kQueries) {
    takes_ms_ = 0;
    const std::string wanted = Ask(query);
    takes_ms_ = 1000;
    EXPECT_EQ(Ask(query), wanted) << query;
  }
}

// Items found by an index are read in batches. A page can end between any two of them all the same.
TEST_F(LongPagesTest, APageByIndexEndsBetweenAnyTwoItems) {
  WriteMany(40);
  for (const std::string_view query :
       {"SELECT VALUE c.n FROM c WHERE c.g >= 0", "SELECT VALUE COUNT(1) FROM c JOIN t IN c.t WHERE c.g >= 0",
        "SELECT VALUE c.n FROM c WHERE c.g >= 0 AND c.n >= 0 AND EXISTS(SELECT VALUE t FROM t IN c.t)"}) {
    takes_ms_ = 0;
    const std::string wanted = Ask(query, 100);
    EXPECT_LE(pages_, 3) << query;
    takes_ms_ = 1000;
    EXPECT_EQ(Ask(query, 100), wanted) << query;
    EXPECT_GE(pages_, 8) << query;  // five items in 5 seconds
  }
}

TEST_F(LongPagesTest, APageThatTakesLongerThanAnyGoesOnAllTheSame) {
  WriteMany(10);
  use_index_ = false;
  // Each item takes longer than a page may.
  for (const std::string_view query : kQueries) ExpectSame(query, 10'000);
}

// All results are retained, so there is no state to resume from. Each page has twice the time of the one before.
TEST_F(LongPagesTest, WhatCannotBeKeptIsWalkedForAgainWithMoreTime) {
  WriteMany(40);
  use_index_ = false;
  const std::string_view query = "SELECT DISTINCT VALUE c.g FROM c ORDER BY c.n";
  takes_ms_ = 0;
  const std::string wanted = Ask(query, 100);
  takes_ms_ = 1000;
  EXPECT_EQ(Ask(query, 100), wanted);
  EXPECT_EQ(empty_pages_, 3);  // 5, 10 and 20 seconds are not enough for 40 items
}

TEST_F(LongPagesTest, WhatIsTooMuchForAContinuationIsKept) {
  WriteLong(30);
  ScanStateCache scan_states(size_t{1} << 20, &pool_);
  scan_states_ = &scan_states;
  use_index_ = false;
  for (const std::string_view query :
       {"SELECT DISTINCT VALUE c.g FROM c", "SELECT VALUE c.id FROM c ORDER BY c.g",
        "SELECT VALUE COUNT(1) FROM c GROUP BY c.g", "SELECT VALUE x FROM (SELECT DISTINCT VALUE c.g FROM c) x",
        "SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.g FROM c)"}) {
    ExpectSame(query, 500, 100);
  }
  EXPECT_EQ(empty_pages_, 2);  // ten items in 5 seconds, each of them once
}

// A page that is requested again, because its response was lost, finds the same state.
TEST_F(LongPagesTest, WhatIsKeptIsThereForAPageThatIsAskedForAgain) {
  WriteLong(30);
  ScanStateCache scan_states(size_t{1} << 20, &pool_);
  scan_states_ = &scan_states;
  takes_ms_ = 500;
  const std::string_view query = "SELECT VALUE COUNT(1) FROM c GROUP BY c.g";
  const std::string first = ReadPage(query, {}, 100).resume_after;
  const std::string lost = ReadPage(query, first, 100).resume_after;
  const Page again = ReadPage(query, ReadPage(query, first, 100).resume_after, 100);
  EXPECT_EQ(again.results.size(), 26u);
  EXPECT_EQ(ReadPage(query, lost, 100).results, again.results);
}

// Other states may have evicted it, or the server was restarted.
TEST_F(LongPagesTest, WhatIsNoLongerKeptIsWalkedForAgain) {
  WriteLong(30);
  const std::string_view query = "SELECT VALUE COUNT(1) FROM c GROUP BY c.g";
  const std::string wanted = Ask(query, 100);
  std::optional<ScanStateCache> scan_states;
  meanwhile_ = [&] { scan_states_ = &scan_states.emplace(size_t{1} << 20, &pool_); };
  meanwhile_();
  takes_ms_ = 500;
  EXPECT_EQ(Ask(query, 100), wanted);
  EXPECT_EQ(empty_pages_, 2);  // 5 and 10 seconds are not enough for 30 items
}

TEST_F(LongPagesTest, WhatIsTooMuchToBeKeptIsWalkedForAgainWithMoreTime) {
  WriteLong(30);
  ScanStateCache scan_states(size_t{4} << 10, &pool_);
  scan_states_ = &scan_states;
  const std::string_view query = "SELECT VALUE COUNT(1) FROM c GROUP BY c.g";
  const std::string wanted = Ask(query, 100);
  takes_ms_ = 500;
  EXPECT_EQ(Ask(query, 100), wanted);
  EXPECT_EQ(empty_pages_, 2);  // 5 and 10 seconds are not enough for 30 items
}

TEST_F(LongPagesTest, AnItemThatExpiresBetweenTwoPagesIsNotShown) {
  WriteMany(20);
  Write("dying", R"({"id":"dying","n":-1,"g":-1})", 100);
  use_index_ = false;
  takes_ms_ = 1000;
  for (const std::string_view query : {"SELECT VALUE c.n FROM c ORDER BY c.n", "SELECT DISTINCT VALUE c.n FROM c"}) {
    Write("dying", R"({"id":"dying","n":-1,"g":-1})", 100);
    std::string wanted;
    for (int n = 0; n < 20; ++n) wanted += std::to_string(n) + "\n";
    int pages = 0;
    // All items have been read when it expires, but no result was returned.
    meanwhile_ = [&] {
      if (++pages == 4) wall_.Advance(100'000);
    };
    EXPECT_EQ(Ask(query, 100), wanted) << query;
    EXPECT_GE(empty_pages_, 4);
  }
}

TEST_F(LongPagesTest, RowsAreShownAsTheyAreOnThePageThatShowsThem) {
  for (int i = 0; i < 12; ++i) Write("i" + std::to_string(i), R"({"n":)" + std::to_string(i) + R"(,"v":"old"})");
  use_index_ = false;
  takes_ms_ = 1000;
  int pages = 0;
  meanwhile_ = [&] {
    if (++pages != 2) return;
    for (int i = 0; i < 12; ++i) Write("i" + std::to_string(i), R"({"n":)" + std::to_string(i) + R"(,"v":"new"})");
  };
  std::string wanted;
  for (int i = 0; i < 12; ++i) wanted += "[" + std::to_string(i) + ",\"new\"]\n";
  EXPECT_EQ(Ask("SELECT VALUE [c.n, c.v] FROM c ORDER BY c.n"), wanted);
}

// Another item has the same result, which must not be lost with the item that was seen first.
TEST_F(LongPagesTest, ADistinctResultStaysWhenTheItemThatWasSeenFirstGoes) {
  for (int i = 0; i < 12; ++i) Write("i" + std::to_string(i), R"({"g":)" + std::to_string(i % 3) + "}");
  use_index_ = false;
  takes_ms_ = 1000;
  for (int gone = 0; gone < 12; ++gone) {
    int pages = 0;
    meanwhile_ = [&] {
      if (++pages == 2) Write("i" + std::to_string(gone), R"({"g":-5})");
    };
    Ask("SELECT DISTINCT VALUE c.g FROM c");
    std::string all = Ask("SELECT DISTINCT VALUE c.g FROM c");
    for (const char* value : {"0\n", "1\n", "2\n"}) EXPECT_NE(all.find(value), std::string::npos) << gone << all;
    Write("i" + std::to_string(gone), R"({"g":)" + std::to_string(gone % 3) + "}");
  }
}

TEST_F(LongPagesTest, AnAggregateLooksAtEachItemOnce) {
  WriteMany(20);
  use_index_ = false;
  takes_ms_ = 1000;
  // All items are rewritten again and again, but are counted only once.
  meanwhile_ = [&] { WriteMany(20); };
  EXPECT_EQ(Ask("SELECT VALUE COUNT(1) FROM c WHERE c.n >= 0"), "20\n");
}

TEST_F(LongPagesTest, TheFirstEntriesOfAnIndexMayAllBeDead) {
  for (int i = 0; i < 3000; ++i) Write("dead" + std::to_string(i), R"({"n":)" + std::to_string(i) + "}", 10);
  for (int i = 0; i < 5; ++i) Write("i" + std::to_string(i), R"({"n":)" + std::to_string(10'000 + i) + "}");
  StepWallSeconds(10);
  // Each check takes a second. Entries are checked in batches.
  let_others_ = [&] { steady_.AdvanceMs(1000); };
  for (const std::string_view query :
       {"SELECT VALUE c.n FROM c ORDER BY c.n", "SELECT TOP 2 VALUE c.n FROM c ORDER BY c.n"}) {
    const std::string wanted =
        query.find("TOP") == std::string_view::npos ? "10000\n10001\n10002\n10003\n10004\n" : "10000\n10001\n";
    EXPECT_EQ(Ask(query), wanted);
    EXPECT_GT(empty_pages_, 0);
  }
  EXPECT_EQ(Ask("SELECT VALUE MIN(c.n) FROM c"), "10000\n");
  EXPECT_GT(empty_pages_, 0);
}

TEST_F(LongPagesTest, AContinuationThatWasTamperedWithBreaksNothing) {
  WriteMany(20);
  use_index_ = false;
  takes_ms_ = 1000;
  for (const std::string_view query : kQueries) {
    const std::string good = ReadPage(query, {}).resume_after;
    ASSERT_NE(good, "");
    for (size_t i = 0; i < good.size(); ++i) {
      EXPECT_FALSE(PagePosition::Decode(good.substr(0, i)).ok() && i + 1 < good.size() / 2);
      for (const char change : {'\x01', '\x80'}) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ change);
        ReadPage(query, bad);  // an answer or an error, and no crash
      }
    }
  }
  // From another kind of query.
  const std::string groups = ReadPage(kQueries[2], {}).resume_after;
  const std::string rows = ReadPage(kQueries[7], {}).resume_after;
  EXPECT_EQ(ReadPage(kQueries[7], groups).status.code(), Code::kInvalidArgument);
  EXPECT_EQ(ReadPage(kQueries[2], rows).status.code(), Code::kInvalidArgument);
  EXPECT_EQ(ReadPage("SELECT VALUE c.n FROM c", rows).status.code(), Code::kInvalidArgument);
}

// A client can put any item numbers into a continuation.
TEST_F(LongPagesTest, NoContinuationShowsItemsOfAnotherKey) {
  for (const std::string_view key : {"a", "b"}) {
    for (int i = 0; i < 12; ++i) {
      ItemWrite write;
      write.kind = ItemWrite::Kind::kUpsert;
      write.address = Address(*Find("c"), key, "i" + std::to_string(i));
      write.document = Bson(R"({"n":)" + std::to_string(i) + R"(,"k":")" + std::string(key) + "\"}");
      ASSERT_TRUE(EngineFixture::Write(Find("c"), std::move(write)).ok());
    }
  }
  use_index_ = false;
  takes_ms_ = 1000;
  const std::string_view query = "SELECT VALUE c.k FROM c ORDER BY c.n";
  only_key_ = "a";
  PagePosition of_a = *PagePosition::Decode(ReadPage(query, {}).resume_after);
  only_key_ = "b";
  const std::string bytes_of_b = ReadPage(query, {}).resume_after;
  PagePosition of_b = *PagePosition::Decode(bytes_of_b);
  ASSERT_NE(of_a.scan.seen, "");
  of_b.scan.seen = of_a.scan.seen;
  takes_ms_ = 0;
  const Page page = ReadPage(query, of_b.Encode(), 100);
  ASSERT_TRUE(page.status.ok()) << page.status.ToString();
  for (const std::string& result : page.results) EXPECT_EQ(result, "\"b\"");
}

// Keys too large for a header. Half of them share a prefix, and some are equal.
class LongKeysTest : public LongPagesTest {
 protected:
  // The key with this number.
  static std::string Key(int n) {
    std::string key = n % 2 == 0 ? std::string(20'000, 'x') : std::string(1, static_cast<char>('a' + n % 7));
    key += std::string(5'000, static_cast<char>('a' + n % 3));
    return key + std::to_string(n);
  }
  void WriteOne(int i) {
    const std::string key = Key(i % 12);
    Write("i" + std::to_string(i), R"({"id":"i)" + std::to_string(i) + R"(","same":1,"s":")" + key + R"(","b":")" +
                                       Key(i % 5) + R"(","a":[")" + key + R"("],"o":{"k":")" + key + R"("},"t":[")" +
                                       key + R"(","",")" + Key(i % 4) + R"("],"done":false})");
  }
  void SetUp() override {
    rate_limiting_ = engine::RateLimiting::kOff;
    Restart();
    engine::IndexingDefinition policy = Policy({"*"}, {});
    policy.composites = {{{{"s"}, false}, {{"b"}, true}}};
    MakeIndexed(policy, -1, 18'000);
  }
  void WriteItems() {
    for (int i = 0; i < 30; ++i) WriteOne(i * 7 % 30);
  }

  std::string AskByPages(std::string_view text, int results_max) {
    std::string all;
    std::string after;
    for (int pages = 0; pages < 500; ++pages) {
      const Page page = ReadPage(text, after, results_max);
      if (!page.status.ok()) return page.status.ToString();
      for (const std::string& result : page.results) all += result + "\n";
      if (page.resume_after.empty()) return all;
      EXPECT_LE(page.resume_after.size(), 10'000u) << text;
      after = page.resume_after;
      if (meanwhile_) meanwhile_();
    }
    return "no end";
  }
};

constexpr std::string_view kLongQueries[] = {
    "SELECT VALUE c.id FROM c ORDER BY c.s",
    "SELECT VALUE c.id FROM c ORDER BY c.s DESC",
    "SELECT VALUE c.id FROM c ORDER BY c.s, c.b DESC",
    "SELECT VALUE c.id FROM c ORDER BY c.a",
    "SELECT VALUE c.id FROM c ORDER BY c.o DESC",
    "SELECT VALUE [c.id, LEFT(t, 2)] FROM c JOIN t IN c.t WHERE t != '' ORDER BY c.s",
    "SELECT VALUE c.id FROM c ORDER BY c.s OFFSET 3 LIMIT 20",
    "SELECT DISTINCT VALUE c.s FROM c",
    "SELECT DISTINCT VALUE c.s FROM c ORDER BY c.s DESC",
    "SELECT DISTINCT c.s, c.b FROM c",
    "SELECT DISTINCT VALUE c.b FROM c ORDER BY c.s",
    "SELECT DISTINCT VALUE x.s FROM (SELECT c.s FROM c WHERE c.same = 1) AS x",
    "SELECT c.s, COUNT(1) AS n FROM c GROUP BY c.s",
    "SELECT c.s, c.b, COUNT(1) AS n FROM c GROUP BY c.s, c.b",
    "SELECT DISTINCT c.s, MAX(c.b) AS m FROM c GROUP BY c.s",
    "SELECT c.o, COUNT(1) AS n FROM c GROUP BY c.o",
};

TEST_F(LongKeysTest, PagesGiveWhatOnePageGives) {
  WriteItems();
  for (const bool use_index : {false, true}) {
    use_index_ = use_index;
    for (const std::string_view query : kLongQueries) {
      const std::string wanted = AskByPages(query, 1000);
      EXPECT_NE(wanted, "") << query;
      for (const int results_max : {1, 2, 5}) EXPECT_TRUE(AskByPages(query, results_max) == wanted) << query;
      takes_ms_ = 700;
      EXPECT_TRUE(AskByPages(query, 3) == wanted) << query;
      takes_ms_ = 0;
    }
  }
}

TEST_F(LongKeysTest, ManyKeysAreCutAsWell) {
  WriteItems();
  std::string keys = "c.same";
  for (int i = 0; i < 300; ++i) keys += ", c.same + " + std::to_string(i);
  const std::string query = "SELECT VALUE COUNT(1) FROM c GROUP BY " + keys + ", c.s";
  EXPECT_EQ(AskByPages(query, 1), AskByPages(query, 1000));
}

// A client can tamper with a continuation: it gets an error or other rows.
TEST_F(LongKeysTest, AContinuationThatWasChangedDoesNoHarm) {
  WriteItems();
  const std::string_view query = "SELECT VALUE c.id FROM c ORDER BY c.s, c.b DESC";
  const std::string after = ReadPage(query, {}, 7).resume_after;
  ASSERT_TRUE(PagePosition::Decode(after)->cut.has_value());
  for (size_t i = 0; i < after.size(); i += i < 100 ? 1 : 37) {
    for (const int bit : {0, 1, 3, 7}) {
      std::string changed = after;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      const Page page = ReadPage(query, changed, 7);
      EXPECT_LE(page.results.size(), 7u);
    }
    const Page page = ReadPage(query, after.substr(0, i), 7);
    EXPECT_LE(page.results.size(), 7u);
  }
}

// An item of an earlier page may change before the next page. While its keys stay the same, its position is known.
TEST_F(LongKeysTest, AnItemThatIsRewrittenKeepsItsPlace) {
  WriteItems();
  const std::string query = "SELECT VALUE c.id FROM c WHERE c.done = false ORDER BY c.s";
  const std::string wanted = AskByPages(query, 1000);
  std::string shown;
  std::string after;
  do {
    const Page page = ReadPage(query, after, 1);
    ASSERT_TRUE(page.status.ok());
    for (const std::string& result : page.results) {
      shown += result + "\n";
      const std::string id = result.substr(1, result.size() - 2);
      Write(id, R"({"id":")" + id + R"(","s":")" + Key(std::stoi(id.substr(1)) % 12) + R"(","done":true})");
    }
    after = page.resume_after;
  } while (!after.empty());
  EXPECT_EQ(shown, wanted);
}

// Among keys with a shared prefix, rows before the deleted item may come again, but none is lost.
TEST_F(LongKeysTest, NothingIsLostWhenTheLastItemGoes) {
  WriteItems();
  for (const std::string_view query :
       {"SELECT VALUE c.id FROM c ORDER BY c.s", "SELECT VALUE c.id FROM c ORDER BY c.s DESC"}) {
    std::set<std::string> shown;
    std::string after;
    int pages = 0;
    do {
      const Page page = ReadPage(query, after, 2);
      ASSERT_TRUE(page.status.ok());
      shown.insert(page.results.begin(), page.results.end());
      after = page.resume_after;
      if (++pages % 3 == 0 && !page.results.empty()) {
        const std::string id = page.results.back().substr(1, page.results.back().size() - 2);
        ItemWrite write;
        write.kind = ItemWrite::Kind::kDelete;
        write.address = Address(*Find("c"), id, id);
        ASSERT_TRUE(EngineFixture::Write(Find("c"), std::move(write)).ok());
      }
    } while (!after.empty() && pages < 500);
    EXPECT_EQ(after, "");
    EXPECT_EQ(shown.size(), 30u) << query;
    for (int i = 0; i < 30; ++i) WriteOne(i);
  }
}

}  // namespace
}  // namespace lapse::query::exec
