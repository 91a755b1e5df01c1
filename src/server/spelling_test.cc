#include "server/spelling.h"

#include <gtest/gtest.h>

namespace lapse::server {
namespace {

TEST(SpellingTest, FindsTheNearestName) {
  const std::vector<std::string> known = {"data-dir", "disk-reserve", "port", "host"};
  EXPECT_EQ(NearestName("datadir", known), "data-dir");
  EXPECT_EQ(NearestName("data_dir", known), "data-dir");
  EXPECT_EQ(NearestName("prot", known), "port");
  EXPECT_EQ(NearestName("disk-reserv", known), "disk-reserve");
  EXPECT_EQ(NearestName("colour", known), "");
  EXPECT_EQ(NearestName("", known), "");
  EXPECT_EQ(NearestName(std::string(100'000, 'p'), known), "");
  EXPECT_EQ(DidYouMean("prot", known), "; did you mean 'port'?");
  EXPECT_EQ(DidYouMean("colour", known), "");
}

}  // namespace
}  // namespace lapse::server
