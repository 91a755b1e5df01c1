#include "engine/records/expiry/lifetime_summary.h"

#include <gtest/gtest.h>

namespace lapse::engine {
namespace {

ttl::Lifetime Written(int64_t ts_s, Sequence sequence, std::optional<int32_t> own_ttl = std::nullopt) {
  ttl::Lifetime lifetime;
  lifetime.ts_s = ts_s;
  lifetime.sequence = sequence;
  lifetime.own_ttl = own_ttl;
  return lifetime;
}

TEST(LifetimeSummaryTest, KeepsTheLatestOfEachRuleAndPartition) {
  LifetimeSummary summary;
  summary.Add({1, 0}, Written(10, 7));
  summary.Add({1, 0}, Written(9, 8));
  summary.Add({1, 0}, Written(5, 3, 100));
  summary.Add({1, 2}, Written(1, 1));
  summary.Add({1, 0}, Written(10, 6));
  const auto groups = LifetimeSummary::Decode(summary.Encode());
  ASSERT_TRUE(groups.has_value());
  ASSERT_EQ(groups->size(), 3U);
  EXPECT_EQ(groups->at(0).base_ms, 10'000);
  EXPECT_EQ(groups->at(0).sequence, 8U);
  EXPECT_EQ(groups->at(1).rule, ttl::kOwnRule);
  EXPECT_EQ(groups->at(1).base_ms, 105'000);
  EXPECT_EQ(groups->at(2).partition.number, 2U);
}

TEST(LifetimeSummaryTest, OneThatNeverDiesMakesItUnknown) {
  LifetimeSummary immortal;
  immortal.Add({1, 0}, Written(10, 7));
  immortal.Add({1, 0}, Written(10, 8, ttl::kTtlForever));
  immortal.Add({1, 0}, Written(10, 9));
  EXPECT_EQ(immortal.Encode(), "");

  LifetimeSummary dated;
  ttl::Lifetime with_date = Written(10, 7);
  with_date.dates = {{.rule = ttl::kFirstDateRule, .base_ms = 1}};
  dated.Add({1, 0}, with_date);
  EXPECT_EQ(dated.Encode(), "");

  LifetimeSummary unreadable;
  unreadable.Add({1, 0}, Written(10, 7));
  unreadable.AddUnknown();
  EXPECT_EQ(unreadable.Encode(), "");
  EXPECT_EQ(LifetimeSummary().Encode(), "") << "of nothing nothing can be told";
}

TEST(LifetimeSummaryTest, IsBounded) {
  LifetimeSummary summary;
  for (ContainerId container = 0; container < 64; ++container) summary.Add({container, 0}, Written(1, 1));
  EXPECT_NE(summary.Encode(), "");
  summary.Add({64, 0}, Written(1, 1));
  EXPECT_EQ(summary.Encode(), "");
}

TEST(LifetimeSummaryTest, RefusesOtherBytes) {
  LifetimeSummary summary;
  summary.Add({1, 0}, Written(10, 7));
  const std::string bytes = summary.Encode();
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(LifetimeSummary::Decode(bytes.substr(0, length)).has_value());
  }
  EXPECT_FALSE(LifetimeSummary::Decode(bytes + "x").has_value());
  std::string other_version = bytes;
  other_version[0] = 2;
  EXPECT_FALSE(LifetimeSummary::Decode(other_version).has_value());
}

}  // namespace
}  // namespace lapse::engine
