#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "engine/catalog/counts/census.h"
#include "engine/engine_fixture.h"

namespace lapse::engine {
namespace {

class CensusForecastTest : public EngineFixture {
 protected:
  // Compares each step with the count of items that expire until its end, which is computed in another way.
  static void ExpectStepsAddUp(const Census& census, const ForecastSteps& steps, const std::string& about) {
    const Forecast forecast = *census.ForecastBy(steps);
    ASSERT_EQ(forecast.steps.size(), steps.count);
    Count sum;
    for (size_t i = 0; i < steps.count; ++i) {
      sum += forecast.steps[i];
      const int64_t end_s = forecast.from_s + static_cast<int64_t>(i + 1) * steps.step_s;
      ASSERT_EQ(sum, *census.ExpiringUntil(end_s * 1000)) << about << " step " << i << " of " << steps.step_s << " s";
    }
    EXPECT_EQ(sum + forecast.later + forecast.never, *census.Live()) << about;
  }

  static void ExpectForecastsAddUp(const ContainerPtr& container, const std::string& about) {
    const Census census = Census(*container);
    for (const ForecastSteps& steps : {ForecastSteps{1, 60}, ForecastSteps{60, 60}, ForecastSteps{900, 96},
                                       ForecastSteps{4096, 20}, ForecastSteps{4097, 20}, ForecastSteps{21'600, 120}}) {
      ExpectStepsAddUp(census, steps, about);
    }
  }
};

TEST_F(CensusForecastTest, StepsAddUpToWhatExpiresUntilTheirEnd) {
  std::mt19937 random(11);
  ContainerPtr c = MakeContainer("c", 50'000);
  for (int i = 0; i < 1500; ++i) {
    std::optional<int32_t> own;
    const auto kind = random() % 4;
    if (kind == 1) own = 1 + static_cast<int32_t>(random() % 100);
    if (kind == 2) own = 1 + static_cast<int32_t>(random() % 20'000);
    if (kind == 3) own = random() % 9 == 0 ? -1 : 1 + static_cast<int32_t>(random() % (31 * 86'400));
    ASSERT_TRUE(Create(c, "i" + std::to_string(i), std::string(1 + random() % 30, 'x'), own).ok());
    if (random() % 2 == 0) PassSeconds(static_cast<int64_t>(random() % 30));
  }
  ExpectForecastsAddUp(c, "as written");
  // Some have expired by now, and a floor keeps them expired.
  ASSERT_TRUE(SetDefaultTtl("c", 200'000).ok());
  ExpectForecastsAddUp(c, "under a longer default");
  ASSERT_TRUE(SetDefaultTtl("c", -1).ok());
  ExpectForecastsAddUp(c, "without a default");
  ASSERT_TRUE(SetDefaultTtl("c", std::nullopt).ok());
  ExpectForecastsAddUp(c, "turned off");
}

TEST_F(CensusForecastTest, WhatWouldBeIsWhatThenIs) {
  std::mt19937 random(12);
  int number = 0;
  for (const std::optional<int32_t> before : {std::optional<int32_t>(), std::optional<int32_t>(-1),
                                              std::optional<int32_t>(3000), std::optional<int32_t>(100'000)}) {
    for (const std::optional<int32_t> after : {std::optional<int32_t>(), std::optional<int32_t>(-1),
                                               std::optional<int32_t>(500), std::optional<int32_t>(9000)}) {
      const std::string name = "c" + std::to_string(number++);
      ContainerPtr c = MakeContainer(name, before);
      for (int i = 0; i < 60; ++i) {
        std::optional<int32_t> own;
        if (random() % 3 == 0) own = 1 + static_cast<int32_t>(random() % 5000);
        ASSERT_TRUE(Create(c, "i" + std::to_string(i), "0123456789", own).ok());
        PassSeconds(static_cast<int64_t>(random() % 60));
      }
      const ForecastSteps steps{60, 200};
      const Census census = Census(*c);
      const Count live = *census.Live();
      const Count expiring = *census.ExpiringUnder(after);
      const Forecast foreseen = *census.ForecastUnder(after, steps);
      ASSERT_TRUE(SetDefaultTtl(name, after).ok());
      const Census then = Census(*c);
      EXPECT_EQ(*then.Live(), live - expiring) << name;
      const Forecast forecast = *then.ForecastBy(steps);
      EXPECT_EQ(forecast.steps, foreseen.steps) << name;
      EXPECT_EQ(forecast.later, foreseen.later) << name;
      EXPECT_EQ(forecast.never, foreseen.never) << name;
    }
  }
}

TEST_F(CensusForecastTest, TheNextExpiryIsTheFirstThatComes) {
  std::mt19937 random(13);
  ContainerPtr c = MakeContainer("c", 700);
  for (int i = 0; i < 60; ++i) {
    const std::optional<int32_t> own =
        random() % 2 == 0 ? std::nullopt : std::optional(1 + static_cast<int32_t>(random() % 9000));
    ASSERT_TRUE(Create(c, "i" + std::to_string(i), "0123456789", own).ok());
    PassSeconds(static_cast<int64_t>(random() % 20));
  }
  while (const std::optional<int64_t> next_ms = *Census(*c).NextExpiryMs()) {
    const Census census = Census(*c);
    ASSERT_GT(*next_ms, census.now_ms());
    EXPECT_EQ(census.ExpiringUntil(*next_ms - 1)->items, 0);
    EXPECT_GT(census.ExpiringUntil(*next_ms)->items, 0);
    PassSeconds((*next_ms - census.now_ms()) / 1000);
  }
  EXPECT_EQ(Census(*c).Live()->items, 0);
}

}  // namespace
}  // namespace lapse::engine
