#include "server/usage_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lapse::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kKey = "c2VjcmV0IHNlY3JldCBzZWNyZXQ=";

TEST(UsageTextTest, QuotesWordsAndNoKeys) {
  EXPECT_EQ(QuotedUnlessKey("stray"), "'stray'");
  EXPECT_EQ(QuotedUnlessKey("a longer text with blanks"), "'a longer text with blanks'");
  EXPECT_THAT(QuotedUnlessKey(kKey), Not(HasSubstr("c2Vj")));
  EXPECT_THAT(QuotedUnlessKey(kKey), HasSubstr("28 characters"));
}

TEST(UsageTextTest, NamesOptionsWithoutTheirValues) {
  EXPECT_EQ(DescribeUnexpected({"--acount-key=short"}), "there is no option '--acount-key'");
  EXPECT_EQ(DescribeUnexpected({"short", "--acount-key", "-x"}), "there is no option '--acount-key', '-x'");
}

TEST(UsageTextTest, NamesWordsThatStandAlone) {
  EXPECT_EQ(DescribeUnexpected({"one", "two"}), "not expected: 'one', 'two'");
  EXPECT_THAT(DescribeUnexpected({kKey}), Not(HasSubstr("c2Vj")));
}

}  // namespace
}  // namespace lapse::server
