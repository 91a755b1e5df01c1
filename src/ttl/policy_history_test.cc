#include "ttl/policy_history.h"

#include <gtest/gtest.h>

#include <string>

namespace lapse::ttl {
namespace {

constexpr int64_t kLater = 1'000'000'000;

// Each change is the next revision, and all partitions have passed those before it.
class TestHistory : public PolicyHistory {
 public:
  void Add(int64_t from_ms, std::optional<int32_t> default_ttl) {
    const uint64_t revision = epochs().empty() ? 1 : epochs().back().revision + 1;
    PolicyHistory::Add({.revision = revision, .from_ms = from_ms, .policy = {.default_ttl = default_ttl}}, revision);
  }
};

TEST(PolicyHistory, AnItemDiesAtItsDeadlineUnderTheDefaultInForce) {
  TestHistory history;
  history.Add(0, 10);
  EXPECT_EQ(history.DiedAtMs(kInheritRule, 5'000, kLater), 15'000);
  EXPECT_EQ(history.DiedAtMs(kInheritRule, 5'000, 15'000), 15'000);
  EXPECT_EQ(history.DiedAtMs(kInheritRule, 5'000, 14'999), std::nullopt);
  EXPECT_EQ(history.DiedAtMs(kOwnRule, 7'000, kLater), 7'000);
}

TEST(PolicyHistory, AShorterDefaultKillsWhenItIsSet) {
  TestHistory history;
  history.Add(0, 1000);
  history.Add(50'000, 10);
  EXPECT_EQ(history.DiedAtMs(kInheritRule, 5'000, kLater), 50'000);
  EXPECT_EQ(history.DiedAtMs(kInheritRule, 45'000, kLater), 55'000);
}

TEST(PolicyHistory, ALongerDefaultDoesNotMoveADeathThatHasBeen) {
  TestHistory history;
  history.Add(0, 10);
  history.Add(50'000, 1000);
  EXPECT_EQ(history.DiedAtMs(kInheritRule, 5'000, kLater), 15'000);
  EXPECT_EQ(history.DiedAtMs(kInheritRule, 40'000, kLater), 50'000);  // expired at the instant of the change
  EXPECT_EQ(history.DiedAtMs(kInheritRule, 41'000, kLater), 41'000 + 1'000'000);
}

TEST(PolicyHistory, WhileTtlIsOffNothingDies) {
  TestHistory history;
  history.Add(0, 10);
  history.Add(20'000, std::nullopt);
  history.Add(90'000, -1);
  EXPECT_EQ(history.DiedAtMs(kInheritRule, 15'000, kLater), std::nullopt);
  EXPECT_EQ(history.DiedAtMs(kInheritRule, 10'000, kLater), 20'000);
  EXPECT_EQ(history.DiedAtMs(kOwnRule, 19'000, kLater), 19'000);
  EXPECT_EQ(history.DiedAtMs(kOwnRule, 30'000, kLater), 90'000);
  EXPECT_EQ(history.DiedAtMs(kOwnRule, 30'000, 89'999), std::nullopt);
}

TEST(PolicyHistory, AClockThatWasSetBackBeginsANewHistory) {
  TestHistory history;
  history.Add(900'000, 10);
  history.Add(50'000, 20);
  EXPECT_EQ(history.DiedAtMs(kInheritRule, 45'000, kLater), 65'000);
  EXPECT_EQ(history.DiedAtMs(kInheritRule, 5'000, kLater), 50'000);
}

TEST(PolicyHistory, KeepsWhatAPartitionHasNotPassed) {
  PolicyHistory history;
  for (uint64_t revision = 1; revision <= 1200; ++revision) {
    history.Add({.revision = revision, .from_ms = static_cast<int64_t>(revision)}, 7);
  }
  EXPECT_EQ(history.Find(6), nullptr);
  ASSERT_NE(history.Find(7), nullptr);
  EXPECT_EQ(history.Find(7)->from_ms, 7);
  EXPECT_EQ(history.Find(1200)->revision, 1200U);
  EXPECT_EQ(history.Find(1201), nullptr);
}

TEST(PolicyHistory, IsBoundedAndSurvivesItsBytes) {
  TestHistory history;
  for (int i = 0; i < 1200; ++i)
    history.Add(i * 1000, i % 3 == 0 ? std::nullopt : std::optional<int32_t>(i % 3 == 1 ? -1 : i));
  history.PolicyHistory::Add({.revision = 1201,
                              .from_ms = 1'200'000,
                              .policy = {.default_ttl = 5, .date_rules = {{.rule = 2, .expire_after_s = 60}}},
                              .log_begins = true},
                             1201);
  EXPECT_EQ(history.epochs().size(), PolicyHistory::kEpochsMax);

  std::string bytes;
  history.Encode(&bytes);
  for (size_t length = 0; length < bytes.size(); ++length) {
    std::string_view part(bytes.data(), length);
    PolicyHistory decoded;
    EXPECT_FALSE(PolicyHistory::Decode(&part, &decoded));
  }
  std::string_view whole = bytes;
  PolicyHistory decoded;
  ASSERT_TRUE(PolicyHistory::Decode(&whole, &decoded));
  EXPECT_EQ(decoded, static_cast<const PolicyHistory&>(history));
  EXPECT_TRUE(whole.empty());
}

}  // namespace
}  // namespace lapse::ttl
