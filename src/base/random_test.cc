#include "base/random.h"

#include <gtest/gtest.h>

#include <set>

namespace lapse {
namespace {

// The output of the authors' reference program for this seed.
TEST(SplitMix64Test, KnownAnswers) {
  SplitMix64 random(1234567);
  EXPECT_EQ(random.Next(), 6457827717110365317u);
  EXPECT_EQ(random.Next(), 3203168211198807973u);
  EXPECT_EQ(random.Next(), 9817491932198370423u);
  EXPECT_EQ(random.Next(), 4593380528125082431u);
  EXPECT_EQ(random.Next(), 16408922859458223821u);
}

TEST(Mix64Test, GivesTheFirstNumberOfTheSeed) {
  EXPECT_EQ(Mix64(1234567), 6457827717110365317u);
  std::set<uint64_t> seen;
  for (uint64_t number = 0; number < 1000; ++number) seen.insert(Mix64(number));
  EXPECT_EQ(seen.size(), 1000u);
}

}  // namespace
}  // namespace lapse
