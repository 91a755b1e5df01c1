#include <gtest/gtest.h>

#include <set>
#include <string>

#include "api/cosmos/wire/activity_id.h"
#include "api/cosmos/wire/continuation.h"
#include "api/cosmos/wire/request_charge.h"
#include "api/cosmos/wire/session_token.h"

namespace lapse::api::cosmos {
namespace {

TEST(ContinuationTest, RoundTrips) {
  for (const std::string& position : {std::string("a"), std::string(1, '\0'), std::string(500, '\xFF')}) {
    std::string token = EncodeContinuation("feed", position);
    EXPECT_EQ(token.find_first_of("+/= ,\r\n"), std::string::npos) << token;
    auto decoded = DecodeContinuation("feed", token);
    ASSERT_TRUE(decoded.ok());
    EXPECT_EQ(*decoded, position);
  }
}

TEST(ContinuationTest, EveryDamageIsSeen) {
  std::string token = EncodeContinuation("feed", "position");
  for (size_t i = 0; i < token.size(); ++i) {
    for (char c : {'A', 'B', 'z', '-', '=', ' '}) {
      std::string damaged = token;
      if (damaged[i] == c) continue;
      damaged[i] = c;
      EXPECT_FALSE(DecodeContinuation("feed", damaged).ok()) << damaged;
    }
    EXPECT_FALSE(DecodeContinuation("feed", token.substr(0, i)).ok());
  }
  EXPECT_FALSE(DecodeContinuation("feed", token + "A").ok());
  EXPECT_EQ(DecodeContinuation("other", token).status().message(), "Invalid Continuation Token");
  EXPECT_FALSE(DecodeContinuation("feed", std::string(1 << 20, 'A')).ok());
}

TEST(SessionTokenTest, NamesRangeAndLsn) {
  std::string token;
  AppendSessionToken(0, 5, &token);
  EXPECT_EQ(token, "0:1#5");
  AppendSessionToken(12, 18446744073709551615U, &token);
  EXPECT_EQ(token, "0:1#5,12:1#18446744073709551615");
  EXPECT_EQ(*RequestedLsn(token, 0), 5U);
  EXPECT_EQ(*RequestedLsn(token, 12), 18446744073709551615U);
  EXPECT_EQ(*RequestedLsn(token, 1), 0U);
}

TEST(SessionTokenTest, AcceptsWhatOtherServersGaveOut) {
  EXPECT_EQ(*RequestedLsn("0:-1#7", 0), 7U);
  EXPECT_EQ(*RequestedLsn("0:1#7#3=5#4=-1", 0), 7U);
}

TEST(SessionTokenTest, RefusesTheMalformed) {
  for (std::string_view token : {"0", "0:", "0:1", "0:1#", ":1#5", "0:1#x", "0:x#5", "0:1#5,", "0:1#5,,1:1#6", "a:1#5",
                                 "0:1#-5", "0:1#5#", "0:1#5#3", "0:1#5#3=", "0:1#99999999999999999999", " 0:1#5"}) {
    EXPECT_EQ(RequestedLsn(token, 7).status().code(), Code::kInvalidArgument) << token;
  }
}

std::string Text(int64_t milli_ru) {
  std::string text;
  AppendCharge(milli_ru, &text);
  return text;
}

TEST(RequestChargeTest, PrintsAtMostTwoDecimals) {
  EXPECT_EQ(Text(0), "0");
  EXPECT_EQ(Text(50), "0.05");
  EXPECT_EQ(Text(1000), "1");
  EXPECT_EQ(Text(1500), "1.5");
  EXPECT_EQ(Text(123'450), "123.45");
}

TEST(ActivityIdTest, EchoesPlainTokensAlone) {
  std::string id;
  AppendActivityId("Abc-123", &id);
  EXPECT_EQ(id, "Abc-123");
  for (const std::string& odd : {std::string(), std::string("a b"), std::string("a\r\nb"), std::string(65, 'a')}) {
    std::string made;
    AppendActivityId(odd, &made);
    EXPECT_EQ(made.size(), 36U);
    EXPECT_NE(made, odd);
  }
}

TEST(ActivityIdTest, FreshIdsDiffer) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    std::string id;
    AppendActivityId("", &id);
    EXPECT_TRUE(seen.insert(id).second);
  }
}

}  // namespace
}  // namespace lapse::api::cosmos
