#include "ttl/lifetime.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/bytes.h"
#include "ttl/saturating.h"

namespace lapse::ttl {
namespace {

std::string Encoded(const Lifetime& lifetime) {
  std::string bytes;
  EncodeLifetime(lifetime, &bytes);
  return bytes;
}

bool DecodesAsLifetime(std::string_view bytes) {
  Lifetime lifetime;
  return DecodeLifetime(&bytes, &lifetime);
}

Lifetime Full() {
  return {.ts_s = 1000, .sequence = 7, .own_ttl = 30, .dates = {{2, -5}, {9, kInt64Max}}};
}

TEST(LifetimeTest, ServerRuleFollowsOwnTtl) {
  EXPECT_EQ(Lifetime{}.ServerRule(), kInheritRule);
  EXPECT_EQ(Lifetime{.own_ttl = 1}.ServerRule(), kOwnRule);
  EXPECT_EQ(Lifetime{.own_ttl = kTtlForever}.ServerRule(), std::nullopt);
}

TEST(LifetimeTest, ServerBaseIsTsOrDeadline) {
  EXPECT_EQ((Lifetime{.ts_s = 5}.ServerBaseMs()), 5000);
  EXPECT_EQ((Lifetime{.ts_s = 5, .own_ttl = 3}.ServerBaseMs()), 8000);
  EXPECT_EQ((Lifetime{.ts_s = 5, .own_ttl = kTtlForever}.ServerBaseMs()), 5000);
}

TEST(LifetimeTest, ServerBaseSaturates) {
  EXPECT_EQ((Lifetime{.ts_s = kInt64Max, .own_ttl = kTtlMax_s}.ServerBaseMs()), kInt64Max);
  EXPECT_EQ((Lifetime{.ts_s = kInt64Max / 1000, .own_ttl = kTtlMax_s}.ServerBaseMs()), kInt64Max);
  EXPECT_EQ((Lifetime{.ts_s = kInt64Max / 1000 + 1}.ServerBaseMs()), kInt64Max);
  EXPECT_EQ((Lifetime{.ts_s = kInt64Min}.ServerBaseMs()), kInt64Min);
  EXPECT_EQ((Lifetime{.ts_s = kInt64Max / 1000}.ServerBaseMs()), kInt64Max / 1000 * 1000);
}

TEST(LifetimeTest, BytesAreAsDocumented) {
  EXPECT_EQ(HexUpper(Encoded({.ts_s = 0x0102030405060708, .sequence = 0x1112131415161718})),
            "10"
            "0807060504030201"
            "1817161514131211");
  EXPECT_EQ(HexUpper(Encoded({.ts_s = 1, .sequence = 2, .own_ttl = kTtlForever})),
            "11"
            "0100000000000000"
            "0200000000000000"
            "FFFFFFFF");
  EXPECT_EQ(HexUpper(Encoded({.ts_s = 1, .sequence = 2, .dates = {{3, -2}}})),
            "12"
            "0100000000000000"
            "0200000000000000"
            "0100"
            "03000000"
            "FEFFFFFFFFFFFFFF");
}

TEST(LifetimeTest, RoundTripLeavesTheRestOfTheRecord) {
  const Lifetime cases[] = {
      {},
      {.ts_s = kInt64Min, .sequence = std::numeric_limits<uint64_t>::max()},
      {.ts_s = kInt64Max, .own_ttl = kTtlMax_s},
      {.own_ttl = 1},
      {.own_ttl = kTtlForever, .dates = {{2, kInt64Min}}},
      Full(),
  };
  for (const Lifetime& lifetime : cases) {
    std::string bytes = Encoded(lifetime) + "rest";
    std::string_view view = bytes;
    Lifetime decoded = Full();  // decoding must overwrite its earlier contents
    ASSERT_TRUE(DecodeLifetime(&view, &decoded));
    EXPECT_EQ(decoded, lifetime);
    EXPECT_EQ(view, "rest");
  }
}

TEST(LifetimeTest, RejectsEveryTruncationAndLeavesTheRecord) {
  std::string bytes = Encoded(Full());
  for (size_t length = 0; length < bytes.size(); ++length) {
    std::string_view view = std::string_view(bytes).substr(0, length);
    Lifetime lifetime;
    EXPECT_FALSE(DecodeLifetime(&view, &lifetime)) << length;
    EXPECT_EQ(view.size(), length);
  }
}

TEST(LifetimeTest, RejectsUnknownVersionsAndFlags) {
  std::string bytes = Encoded(Full());
  ASSERT_EQ(bytes[0], 0x13);
  for (int flags = 0; flags < 256; ++flags) {
    bytes[0] = static_cast<char>(flags);
    bool known_bits = flags >> 4 == 1 && (flags & 0x0C) == 0;
    if (known_bits) continue;
    EXPECT_FALSE(DecodesAsLifetime(bytes)) << flags;
  }
}

TEST(LifetimeTest, RejectsInvalidOwnTtl) {
  for (int32_t ttl : {0, -2, -10, std::numeric_limits<int32_t>::min()}) {
    std::string bytes = Encoded({.own_ttl = 1}).substr(0, 17);
    PutLittleEndian(&bytes, ttl);
    EXPECT_FALSE(DecodesAsLifetime(bytes)) << ttl;
  }
}

TEST(LifetimeTest, RejectsAbsurdDates) {
  std::string front = Encoded({.dates = {{2, 0}}}).substr(0, 17);

  std::string none = front;
  PutLittleEndian<uint16_t>(&none, 0);
  EXPECT_FALSE(DecodesAsLifetime(none));

  std::string too_many = front;
  PutLittleEndian<uint16_t>(&too_many, 0xFFFF);
  too_many.append(12, '\x02');
  EXPECT_FALSE(DecodesAsLifetime(too_many));

  for (RuleId server_rule : {kInheritRule, kOwnRule}) {
    std::string not_a_date_rule = front;
    PutLittleEndian<uint16_t>(&not_a_date_rule, 1);
    PutLittleEndian(&not_a_date_rule, server_rule);
    PutLittleEndian<int64_t>(&not_a_date_rule, 0);
    EXPECT_FALSE(DecodesAsLifetime(not_a_date_rule));
  }
}

}  // namespace
}  // namespace lapse::ttl
