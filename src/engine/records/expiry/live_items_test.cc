#include "engine/records/expiry/live_items.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace lapse::engine {
namespace {

TEST(LiveItemsTest, SaysNothingOfWhatCameLater) {
  LiveItems live;
  live.Add(5);
  live.KnowsAllUpTo(10);
  EXPECT_FALSE(live.IsGone(5));
  EXPECT_TRUE(live.IsGone(4));
  EXPECT_TRUE(live.IsGone(10));
  EXPECT_FALSE(live.IsGone(11));
  EXPECT_FALSE(live.AreGone(6, 11));
  EXPECT_TRUE(live.AreGone(6, 10));
  EXPECT_FALSE(LiveItems().IsGone(1)) << "one that knows nothing";
}

// Compares with a plain set: few and many items in a chunk, and across chunk borders.
TEST(LiveItemsTest, AgreesWithASet) {
  std::mt19937 random(7);
  for (uint64_t spread : {1, 3, 50, 5000}) {
    LiveItems live;
    std::set<uint64_t> model;
    uint64_t last = 0;
    for (int i = 0; i < 20'000; ++i) {
      last += 1 + random() % spread;
      live.Add(last);
      model.insert(last);
    }
    live.KnowsAllUpTo(last);
    for (int i = 0; i < 20'000; ++i) {
      const uint64_t first = random() % last + 1;
      const uint64_t end = std::min<uint64_t>(last, first + random() % (spread * 3));
      const auto next = model.lower_bound(first);
      ASSERT_EQ(live.AreGone(first, end), next == model.end() || *next > end) << first << " " << end;
      ASSERT_EQ(live.IsGone(first), !model.contains(first)) << first;
    }
  }
}

TEST(LiveItemsTest, IsSmall) {
  LiveItems live;
  for (uint64_t i = 1; i <= 1'000'000; ++i) live.Add(i);
  EXPECT_LT(live.memory_bytes(), 200'000U);
}

}  // namespace
}  // namespace lapse::engine
