#include "base/burst.h"

#include <gtest/gtest.h>

namespace lapse {
namespace {

constexpr size_t kMega = 1 << 20;

TEST(BurstTest, IsOverOnceWhenMostOfItIsGone) {
  Burst burst;
  EXPECT_FALSE(burst.TakeEnd(0));
  burst.Note(100 * kMega);
  EXPECT_FALSE(burst.TakeEnd(100 * kMega));
  EXPECT_FALSE(burst.TakeEnd(26 * kMega));
  EXPECT_TRUE(burst.TakeEnd(25 * kMega));
  EXPECT_FALSE(burst.TakeEnd(0));
  burst.Note(100 * kMega);
  EXPECT_TRUE(burst.TakeEnd(0)) << "the next one";
}

TEST(BurstTest, LittleIsNone) {
  Burst burst;
  burst.Note(Burst::kBytesMin - 1);
  EXPECT_FALSE(burst.TakeEnd(0));
}

TEST(BurstTest, ItMustStayOver) {
  Burst burst(3);
  burst.Note(100 * kMega);
  EXPECT_FALSE(burst.TakeEnd(0));
  EXPECT_FALSE(burst.TakeEnd(0));
  EXPECT_FALSE(burst.TakeEnd(90 * kMega)) << "more again";
  EXPECT_FALSE(burst.TakeEnd(0));
  EXPECT_FALSE(burst.TakeEnd(0));
  EXPECT_TRUE(burst.TakeEnd(0));
}

TEST(BurstTest, AShortOneBetweenTwoLooksCountsToo) {
  Burst burst(2);
  burst.Note(100 * kMega);
  EXPECT_FALSE(burst.TakeEnd(0));
  burst.Note(90 * kMega);
  EXPECT_FALSE(burst.TakeEnd(0));
  EXPECT_TRUE(burst.TakeEnd(0));
}

}  // namespace
}  // namespace lapse
