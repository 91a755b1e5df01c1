#include "base/histogram.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace lapse {
namespace {

TEST(HistogramTest, CountsUpToEachBound) {
  Histogram histogram;
  histogram.Record(0);
  histogram.Record(100'000);         // 100 us: the first bound itself
  histogram.Record(100'001);         // just beyond the first bound
  histogram.Record(10'000'000'000);  // the last bound itself
  histogram.Record(60'000'000'000);  // longer than all
  Histogram::Reading reading = histogram.Read();
  EXPECT_EQ(reading.up_to.front(), 2);
  EXPECT_EQ(reading.up_to[1], 3);
  EXPECT_EQ(reading.up_to[reading.up_to.size() - 2], 3);
  EXPECT_EQ(reading.up_to.back(), 4);
  EXPECT_EQ(reading.count, 5);
  EXPECT_NEAR(reading.sum_s, 70.000200001, 1e-9);
}

TEST(HistogramTest, QuantilesAreEstimatedWithinAStep) {
  Histogram histogram;
  EXPECT_EQ(histogram.Read().QuantileMs(0.5), 0) << "nothing was recorded";
  for (int i = 0; i < 100; ++i) histogram.Record(50'000);      // up to 0.1 ms
  for (int i = 0; i < 100; ++i) histogram.Record(30'000'000);  // 25 to 50 ms
  const Histogram::Reading reading = histogram.Read();
  EXPECT_DOUBLE_EQ(reading.QuantileMs(0), 0);
  EXPECT_DOUBLE_EQ(reading.QuantileMs(0.25), 0.05);
  EXPECT_DOUBLE_EQ(reading.QuantileMs(0.5), 0.1);
  EXPECT_DOUBLE_EQ(reading.QuantileMs(0.75), 37.5);
  EXPECT_DOUBLE_EQ(reading.QuantileMs(1), 50);
}

TEST(HistogramTest, AQuantileBeyondTheLastStepIsItsEnd) {
  Histogram histogram;
  histogram.Record(60'000'000'000);
  EXPECT_DOUBLE_EQ(histogram.Read().QuantileMs(0.5), 10'000);
}

TEST(HistogramTest, ATimeThatRanBackIsNoTime) {
  Histogram histogram;
  histogram.Record(-5);
  EXPECT_EQ(histogram.Read().up_to.front(), 1);
  EXPECT_EQ(histogram.Read().sum_s, 0);
}

TEST(HistogramTest, CountsFromManyThreads) {
  Histogram histogram;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&histogram] {
      for (int j = 0; j < 1000; ++j) histogram.Record(j * 1000);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(histogram.Read().count, 4000);
}

}  // namespace
}  // namespace lapse
