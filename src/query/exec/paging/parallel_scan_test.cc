// Tests that pages with helpers return, cost and fail as pages that one thread reads alone.
#include "query/exec/paging/parallel_scan.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/test_helpers.h"
#include "base/turn_pool.h"
#include "doc/json.h"
#include "engine/partition/index/index_fixture.h"
#include "query/exec/items/test_items.h"
#include "query/exec/query_page.h"
#include "query/sql/bind.h"
#include "query/sql/parse.h"
#include "query/values/json_text.h"
#include "query/values/memory_pool.h"

namespace lapse::query::exec {
namespace {

using engine::ItemWrite;

constexpr int kPartitions = 4;

class ParallelScanTest : public engine::IndexFixture {
 protected:
  void SetUp() override {
    rate_limiting_ = engine::RateLimiting::kOff;
    Restart();
    MakeIndexed(Policy({"*"}, {}), -1, kPartitions * 6'000);
    ASSERT_EQ(Find("c")->partitions().size(), static_cast<size_t>(kPartitions));
  }

  void Write(std::string_view id, std::string_view json, std::optional<int32_t> ttl = std::nullopt) {
    ItemWrite write;
    write.kind = ItemWrite::Kind::kUpsert;
    write.address = Address(*Find("c"), id, id);
    write.document = Bson(json);
    write.own_ttl = ttl;
    ASSERT_TRUE(EngineFixture::Write(Find("c"), std::move(write)).ok());
  }
  void WriteMany(int count) {
    for (int i = 0; i < count; ++i) {
      const std::string id = "i" + std::to_string(i);
      const std::string n = std::to_string(i * 7 % count);
      std::string json = R"({"id":")";
      json.append(id).append(R"(","n":)").append(n).append(R"(,"f":)").append(n).append(".1");
      json.append(R"(,"g":)").append(std::to_string(i % 5)).append(R"(,"s":"text )").append(std::to_string(i % 3));
      json.append(R"(","t":[1,2,)").append(n).append("]}");
      Write(id, json, i % 4 == 0 ? std::optional<int32_t>(10) : std::nullopt);
    }
    StepWallSeconds(10);
  }

  // Returns everything observable about a query, page by page.
  std::string Ask(std::string_view text, Helpers* helpers, int results_max = 4) {
    const Result<sql::SyntaxTree> tree = sql::Parse(text);
    EXPECT_TRUE(tree.ok()) << text;
    const Result<plan::Plan> plan = sql::Bind(*tree, {});
    EXPECT_TRUE(plan.ok()) << text << plan.status().ToString();
    std::string all;
    std::string after;
    pages_ = 0;
    results_.clear();
    do {
      QueryOptions options;
      options.after = after;
      options.results_max = results_max;
      options.use_index = use_index_;
      options.settings.pool = &pool_;
      options.settings.memory_bytes_max = memory_bytes_max_;
      options.is_abandoned = is_abandoned_;
      options.helpers = helpers;
      options.thresholds.shared_items = items_min_;
      const auto take = [&](Value result, engine::Place) {
        AppendJson(result, &results_);
        results_ += "\n";
        return true;
      };
      engine::RequestMeter meter;
      const TestRules rules([&] { return std::make_unique<SlowItem>(&steady_, takes_ms_); });
      Result<QueryPage> read = ReadQueryPage(*plan, *Find("c"), options, rules, take, &meter);
      EXPECT_EQ(pool_.held(), 0u) << text;
      all += "charge " + std::to_string(meter.milli_ru());
      if (!read.ok()) return results_ + all + " " + read.status().ToString();
      all += " scanned " + std::to_string(read->scanned_items) + " " + std::to_string(read->scanned_bytes) +
             " matching " + std::to_string(read->matching_items) + "\n";
      if (takes_ms_ == 0) all += read->resume_after + "\n";
      after = read->resume_after;
    } while (!after.empty() && ++pages_ < 1000);
    EXPECT_EQ(after, "") << "no end: " << text;
    return results_ + all;
  }
  // Runs in a pool with this many turns, so that helpers are threads.
  std::string AskInTurns(std::string_view text, size_t turns, int results_max = 4) {
    TurnPool pool("queries", turns, turns + 2, RealSteadyClock());
    std::promise<std::string> answer;
    pool.Run([&](TurnPool::Turn& turn) { answer.set_value(Ask(text, &turn, results_max)); });
    return answer.get_future().get();
  }

  void ExpectSame(std::string_view text, int results_max) {
    const std::string wanted = Ask(text, nullptr, results_max);
    EXPECT_EQ(Ask(text, &helpers_, results_max), wanted) << text;
    for (const size_t turns : {1, 2, 4}) EXPECT_EQ(AskInTurns(text, turns, results_max), wanted) << text << turns;
    helpers_.set_busy(true);
    EXPECT_EQ(Ask(text, &helpers_, results_max), wanted) << text;
    helpers_.set_busy(false);
  }

  TestHelpers helpers_;
  bool use_index_ = false;
  int64_t items_min_ = 0;
  int64_t takes_ms_ = 0;  // to read an item; a page has 5,000
  size_t memory_bytes_max_ = size_t{64} << 20;
  MemoryPool pool_{size_t{256} << 20};
  std::function<bool()> is_abandoned_;
  std::string results_;
  int pages_ = 0;
};

constexpr std::string_view kSharedQueries[] = {
    "SELECT VALUE COUNT(1) FROM c WHERE c.n % 2 = 0",
    "SELECT VALUE COUNT(1) FROM c WHERE c.g = 2",
    "SELECT VALUE SUM(c.f) FROM c",
    "SELECT COUNT(1) AS a, SUM(c.f) AS b, AVG(c.f) AS d, MIN(c.s) AS e, MAX(c.n) AS f FROM c WHERE c.n % 2 = 0",
    "SELECT c.g, COUNT(1) AS k, SUM(c.f) AS s, MAX(c.s) AS m FROM c GROUP BY c.g",
    "SELECT c.g, c.s, MAKELIST(c.n) AS l, MAKESET(c.s) AS m FROM c WHERE c.n > 10 GROUP BY c.g, c.s",
    "SELECT c.g, SUM(t) AS k FROM c JOIN t IN c.t GROUP BY c.g",
    "SELECT VALUE SUM(x.k) FROM (SELECT c.g, SUM(c.f) AS k FROM c GROUP BY c.g) AS x",
    "SELECT VALUE SUM(x) FROM (SELECT DISTINCT VALUE c.g FROM c) AS x",
    "SELECT DISTINCT VALUE c.g FROM c",
    "SELECT DISTINCT c.g, c.s FROM c",
    "SELECT DISTINCT VALUE c.g FROM c ORDER BY c.g DESC",
    "SELECT DISTINCT VALUE c.g FROM c ORDER BY c.n",
    "SELECT VALUE c.n FROM c ORDER BY c.n",
    "SELECT VALUE c.id FROM c WHERE c.g > 1 ORDER BY c.s DESC",
    "SELECT VALUE [c.n, t] FROM c JOIN t IN c.t ORDER BY c.s",
    "SELECT VALUE c.n FROM c ORDER BY c.s OFFSET 3 LIMIT 7",
    "SELECT TOP 3 VALUE c.n FROM c ORDER BY c.s DESC",
    "SELECT TOP 0 VALUE c.n FROM c ORDER BY c.s DESC",
    "SELECT VALUE c.n FROM c WHERE c.g = 1",
};

TEST_F(ParallelScanTest, AnswersPricesAndFiguresAreThoseOfOneThread) {
  WriteMany(80);
  for (const bool use_index : {false, true}) {
    use_index_ = use_index;
    for (const std::string_view query : kSharedQueries) {
      for (const int results_max : {1, 3, 100}) ExpectSame(query, results_max);
    }
  }
  EXPECT_GT(helpers_.asked(), 0);
}

TEST_F(ParallelScanTest, PartitionsMayBeEmpty) {
  for (const std::string_view query : kSharedQueries) ExpectSame(query, 3);
  Write("one", R"({"n":1,"f":0.1,"g":2,"s":"a","t":[]})");
  for (const std::string_view query : kSharedQueries) ExpectSame(query, 3);
}

// Rounding depends on the order in which numbers are added.
TEST_F(ParallelScanTest, SumsOfPartitionsAreAddedInTheirOrder) {
  for (int i = 0; i < 200; ++i) {
    Write("i" + std::to_string(i), R"({"f":)" + std::to_string(i % 3 == 0 ? 1e16 : i * 0.1) + "}");
  }
  ExpectSame("SELECT VALUE SUM(c.f) FROM c", 1);
  ExpectSame("SELECT VALUE AVG(c.f) FROM c", 1);
  // The same with many pages.
  const std::string wanted = (Ask("SELECT VALUE SUM(c.f) FROM c", nullptr), results_);
  takes_ms_ = 300;
  for (Helpers* helpers : {static_cast<Helpers*>(nullptr), static_cast<Helpers*>(&helpers_)}) {
    Ask("SELECT VALUE SUM(c.f) FROM c", helpers);
    EXPECT_EQ(results_, wanted);
    EXPECT_GT(pages_, 3);
  }
}

TEST_F(ParallelScanTest, FewItemsAreReadByOneThread) {
  WriteMany(40);
  items_min_ = 1000;
  Ask("SELECT VALUE SUM(c.f) FROM c", &helpers_);
  EXPECT_EQ(helpers_.asked(), 0);
}

TEST_F(ParallelScanTest, APageThatIsFilledEarlyIsReadByOneThread) {
  WriteMany(40);
  Ask("SELECT VALUE c.n FROM c", &helpers_);
  Ask("SELECT VALUE c.n FROM c WHERE c.n % 2 = 0", &helpers_);
  EXPECT_EQ(helpers_.asked(), 0);
}

TEST_F(ParallelScanTest, APageThatTakesLongComesToItsEnd) {
  WriteMany(60);
  for (const bool use_index : {false, true}) {
    use_index_ = use_index;
    for (const std::string_view query : kSharedQueries) {
      takes_ms_ = 0;
      Ask(query, nullptr, 100);
      const std::string wanted = results_;
      for (const int64_t takes_ms : {1000, 10'000}) {
        takes_ms_ = takes_ms;
        Ask(query, &helpers_, 100);
        EXPECT_EQ(results_, wanted) << query;
        AskInTurns(query, 3, 100);
        EXPECT_EQ(results_, wanted) << query;
      }
    }
  }
}

// A scan of all items reports the first error in their order.
TEST_F(ParallelScanTest, ErrorsAreThoseOfOneThread) {
  WriteMany(80);
  for (const std::string_view query : {"SELECT VALUE COUNT(1) FROM c WHERE (SELECT VALUE x FROM x IN c.t) = 1",
                                       "SELECT c.g, COUNT(1) AS k FROM c WHERE (SELECT VALUE x FROM x IN c.t WHERE c.n "
                                       "> 70 OR x = -1) = 1 GROUP BY c.g",
                                       "SELECT VALUE (SELECT VALUE x FROM x IN c.t) FROM c ORDER BY c.s"}) {
    ExpectSame(query, 4);
    EXPECT_NE(Ask(query, &helpers_).find("A scalar subquery"), std::string::npos) << Ask(query, &helpers_);
  }
}

// Rows that no page returns are not evaluated, so they cause no errors.
TEST_F(ParallelScanTest, AnErrorInARowThatIsNotShownIsNone) {
  for (int i = 0; i < 40; ++i) {
    const bool bad = Find("c")->partitions().size() > 1 && i >= 20;
    Write("i" + std::to_string(i), R"({"n":)" + std::to_string(i) + (bad ? R"(,"t":[1,2]})" : R"(,"t":[1]})"));
  }
  ExpectSame("SELECT TOP 3 VALUE (SELECT VALUE x FROM x IN c.t) FROM c ORDER BY c.n", 3);
}

// If helpers find no memory, the page's own thread does their part.
TEST_F(ParallelScanTest, HelpersWithoutMemoryChangeNothing) {
  for (int i = 0; i < 60; ++i) {
    Write("i" + std::to_string(i),
          R"({"g":)" + std::to_string(i) + R"(,"x":")" + std::string(3000, static_cast<char>('a' + i % 26)) + "\"}");
  }
  for (const std::string_view query :
       {"SELECT c.x, COUNT(1) AS k FROM c GROUP BY c.x", "SELECT VALUE c.x FROM c ORDER BY c.g"}) {
    // From too little memory for the page itself to enough for everything.
    int failed = 0;
    int done = 0;
    for (memory_bytes_max_ = 16 << 10; memory_bytes_max_ <= (512 << 10); memory_bytes_max_ += 24 << 10) {
      ExpectSame(query, 100);
      (Ask(query, &helpers_, 100).find("more memory") != std::string::npos ? failed : done)++;
    }
    EXPECT_GT(failed, 0) << query;
    EXPECT_GT(done, 0) << query;
  }
}

TEST_F(ParallelScanTest, WhatHelpersHoldIsBoundedTogether) {
  MemoryPool all(1000);
  MemoryPool parts(600, MemoryPool::Part{&all});
  EXPECT_TRUE(parts.Take(600));
  EXPECT_FALSE(parts.Take(1));
  EXPECT_EQ(all.held(), 600u);
  EXPECT_TRUE(all.Take(300));
  parts.Give(400);
  EXPECT_FALSE(parts.Take(600)) << "there are 500 left";
  EXPECT_EQ(parts.held(), 200u);
  EXPECT_EQ(all.left(), 500u);
  parts.Give(200);
  all.Give(300);
  EXPECT_EQ(all.held(), 0u);
}

TEST_F(ParallelScanTest, AQueryEndsWhenItsClientHangsUp) {
  WriteMany(80);
  for (int looks = 0; looks < 12; ++looks) {
    std::atomic<int> left = looks;
    is_abandoned_ = [&] { return left.fetch_sub(1) <= 0; };
    for (const size_t turns : {1, 3}) {
      left = looks;
      const std::string answer = AskInTurns("SELECT VALUE SUM(c.f) FROM c", turns, 1);
      EXPECT_TRUE(answer.find("nobody waits") != std::string::npos || answer.find("scanned 60") != std::string::npos)
          << answer;
    }
  }
}

// Each evaluation begins with the same numbers, so only one may draw them.
TEST_F(ParallelScanTest, RandomNumbersAreThoseOfOneThread) {
  WriteMany(40);
  ExpectSame("SELECT VALUE SUM(RAND()) FROM c", 1);
  ExpectSame("SELECT VALUE RAND() FROM c ORDER BY c.s", 100);
  ExpectSame("SELECT VALUE SUM(c.n = 3 ? RAND() : c.n) FROM c", 1);
}

}  // namespace
}  // namespace lapse::query::exec
