// Tests ?forecast=, and what ?defaultTtl= would change.
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "api/admin/reports_fixture.h"
#include "doc/value.h"

namespace lapse::api::admin {
namespace {

class TtlSeriesTest : public ReportsFixture {
 protected:
  static std::vector<int64_t> Numbers(const ReportAnswer& answer, const std::string& path) {
    std::vector<int64_t> numbers;
    for (int i = 0;; ++i) {
      const std::string one = answer.At(path + "/" + std::to_string(i));
      if (one.empty()) return numbers;
      numbers.push_back(std::stoll(one));
    }
  }
  static int64_t Sum(const std::vector<int64_t>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), int64_t{0});
  }
  static int64_t Number(const ReportAnswer& answer, const std::string& path) { return std::stoll(answer.At(path)); }
};

TEST_F(TtlSeriesTest, EachStepHasTheDeadlinesWithinIt) {
  engine::ContainerPtr c = MakeContainer("c", 30);
  CreateMany(c, "first", 1, 1);
  CreateMany(c, "inherit", 3);
  CreateMany(c, "last", 2, 60);
  CreateMany(c, "beyond", 4, 61);
  CreateMany(c, "immortal", 5, -1);
  const ReportAnswer answer = Get("/_lapse/ttl/db/c", "forecast=minute");
  EXPECT_EQ(answer.At("/series/horizon"), R"("minute")");
  EXPECT_EQ(answer.At("/series/from"), std::to_string(kStart_s));
  EXPECT_EQ(answer.At("/series/step_s"), "1");
  EXPECT_EQ(answer.At("/series/steps"), "60");
  const std::vector<int64_t> items = Numbers(answer, "/series/items");
  ASSERT_EQ(items.size(), 60);
  EXPECT_EQ(items[0], 1);
  EXPECT_EQ(items[29], 3);
  EXPECT_EQ(items[59], 2);
  EXPECT_EQ(Sum(items), 6);
  EXPECT_EQ(Numbers(answer, "/series/bytes")[29], 30);
  EXPECT_EQ(answer.At("/series/later"), R"({"items":4,"bytes":40})");
  EXPECT_EQ(answer.At("/series/never"), R"({"items":5,"bytes":50})");
  EXPECT_EQ(answer.At("/series_after"), "");
  EXPECT_EQ(Get("/_lapse/ttl/db/c").At("/series"), "");
}

TEST_F(TtlSeriesTest, ADeadlineOnTheEdgeBelongsToTheStepThatItEnds) {
  engine::ContainerPtr c = MakeContainer("c", -1);
  CreateMany(c, "a", 1, 60);
  CreateMany(c, "b", 2, 61);
  CreateMany(c, "c", 4, 3600);
  const std::vector<int64_t> items = Numbers(Get("/_lapse/ttl/db/c", "forecast=hour"), "/series/items");
  EXPECT_EQ(items[0], 1);
  EXPECT_EQ(items[1], 2);
  EXPECT_EQ(items[59], 4);
}

TEST_F(TtlSeriesTest, WithinASecondTheSeriesStays) {
  engine::ContainerPtr c = MakeContainer("c", -1);
  CreateMany(c, "a", 1, 1);
  CreateMany(c, "b", 2, 60);
  wall_.Advance(900);
  steady_.AdvanceMs(900);
  const ReportAnswer answer = Get("/_lapse/ttl/db/c", "forecast=minute");
  EXPECT_EQ(answer.At("/series/from"), std::to_string(kStart_s));
  EXPECT_EQ(Numbers(answer, "/series/items")[0], 1);
  EXPECT_EQ(Numbers(answer, "/series/items")[59], 2);
  EXPECT_EQ(answer.At("/forecast/minute/items"), "3");
}

// Series, later and never add up to the live items and equal the forecast's sums, whatever the items are.
TEST_F(TtlSeriesTest, TheSumsAreThoseOfTheForecast) {
  std::mt19937 random(7);
  for (const std::optional<int32_t> default_ttl : {std::optional<int32_t>(90'000), std::optional<int32_t>(-1), {}}) {
    const std::string name = "c" + std::to_string(default_ttl.value_or(0));
    engine::ContainerPtr c = MakeContainer(name, default_ttl);
    for (int i = 0; i < 300; ++i) {
      const int kind = static_cast<int>(random() % 4);
      std::optional<int32_t> own;
      if (kind == 1) own = -1;
      if (kind >= 2) own = 1 + static_cast<int32_t>(random() % (kind == 2 ? 4000 : 40 * 86'400));
      ASSERT_TRUE(Create(c, "i" + std::to_string(i), std::string(1 + random() % 20, 'x'), own).ok());
      if (random() % 3 == 0) PassSeconds(static_cast<int64_t>(random() % 60));
    }
    for (const std::string horizon : {"minute", "hour", "day", "week", "month"}) {
      const ReportAnswer answer = Get("/_lapse/ttl/db/" + name, "forecast=" + horizon);
      for (const std::string part : {"items", "bytes"}) {
        const int64_t within = Sum(Numbers(answer, "/series/" + part));
        EXPECT_EQ(within, Number(answer, "/forecast/" + horizon + "/" + part)) << name << horizon;
        EXPECT_EQ(within + Number(answer, "/series/later/" + part) + Number(answer, "/series/never/" + part),
                  Number(answer, "/live/" + part))
            << name << horizon;
      }
    }
  }
}

TEST_F(TtlSeriesTest, ItemsOfADeletedKeyAreNotForeseen) {
  engine::ContainerPtr c = MakeContainer("c", 30);
  CreateMany(c, "i", 3);
  c->EraseKey(Address(*c, "pk", "").key, [](const Result<engine::ItemWritten>& done) { ASSERT_TRUE(done.ok()); });
  const ReportAnswer answer = Get("/_lapse/ttl/db/c", "forecast=minute&defaultTtl=100");
  EXPECT_EQ(Sum(Numbers(answer, "/series/items")), 0);
  EXPECT_EQ(answer.At("/series/never/items"), "0");
  EXPECT_EQ(answer.At("/next_expiry"), "null");
  EXPECT_EQ(answer.At("/would_change/items"), "0");
}

TEST_F(TtlSeriesTest, AFloorKeepsTheDeadOutOfTheSeries) {
  engine::ContainerPtr c = MakeContainer("c", 10);
  CreateMany(c, "dead", 2);
  PassSeconds(10);
  ASSERT_TRUE(SetDefaultTtl("c", 1000).ok());
  CreateMany(c, "live", 3);
  const ReportAnswer answer = Get("/_lapse/ttl/db/c", "forecast=hour");
  EXPECT_EQ(Sum(Numbers(answer, "/series/items")), 3);
  EXPECT_EQ(answer.At("/next_expiry"), std::to_string(kStart_s + 1010));
}

TEST_F(TtlSeriesTest, TheWhatIfSaysWhatWouldChangeAndItHappens) {
  struct Case {
    std::optional<int32_t> before;
    std::string query;
    std::optional<int32_t> after;
    int64_t expire;
    int64_t change;
  };
  // 3 inherit and are 100 s old; 4 inherit and are new; 2 have a ttl of 500 of their own; 1 never expires.
  const std::vector<Case> cases = {
      {1000, "50", 50, 3, 4},  {1000, "1000", 1000, 0, 0}, {1000, "2000", 2000, 0, 7}, {1000, "-1", -1, 0, 7},
      {1000, "off", {}, 0, 9}, {-1, "50", 50, 3, 4},       {-1, "off", {}, 0, 2},      {-1, "-1", -1, 0, 0},
      {{}, "50", 50, 3, 6},    {{}, "-1", -1, 0, 2},       {{}, "off", {}, 0, 0},
  };
  int number = 0;
  for (const Case& one : cases) {
    const std::string name = "c" + std::to_string(number++);
    const std::string path = "/_lapse/ttl/db/" + name;
    engine::ContainerPtr c = MakeContainer(name, one.before);
    CreateMany(c, "old", 3);
    PassSeconds(100);
    CreateMany(c, "new", 4);
    CreateMany(c, "own", 2, 500);
    CreateMany(c, "immortal", 1, -1);
    const ReportAnswer asked = Get(path, "forecast=hour&defaultTtl=" + one.query);
    const std::string about = name + " " + one.query;
    EXPECT_EQ(Number(asked, "/would_expire/items"), one.expire) << about;
    EXPECT_EQ(Number(asked, "/would_change/items"), one.change) << about;
    EXPECT_EQ(Number(asked, "/would_change/bytes"), 10 * one.change) << about;
    EXPECT_EQ(asked.At("/would_change/defaultTtl"), asked.At("/would_expire/defaultTtl"));

    ASSERT_TRUE(SetDefaultTtl(name, one.after).ok());
    const ReportAnswer then = Get(path, "forecast=hour");
    EXPECT_EQ(Number(then, "/live/items"), 10 - one.expire) << about;
    EXPECT_EQ(then.At("/series"), asked.At("/series_after")) << about;
  }
}

TEST_F(TtlSeriesTest, BadForecastsAreRefused) {
  MakeContainer("c", 10);
  for (const char* query : {"forecast=", "forecast=year", "forecast=Hour", "forecast=60", "forecast", "forecast=hour&",
                            "forecast=hour&forecast=day", "forecast=hour&x=1", "forecast=%zz"}) {
    EXPECT_EQ(Get("/_lapse/ttl/db/c", query).status, 400) << query;
  }
}

}  // namespace
}  // namespace lapse::api::admin
