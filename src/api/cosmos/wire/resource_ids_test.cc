#include "api/cosmos/wire/resource_ids.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/base64.h"
#include "base/hex.h"

namespace lapse::api::cosmos {
namespace {

std::string Decoded(std::string_view rid) {
  std::string bytes;
  EXPECT_TRUE(FromBase64(rid, &bytes, kBase64DashForSlash)) << rid;
  return HexUpper(bytes);
}

TEST(ResourceIdsTest, RidsHoldTheIdsOfAllLevels) {
  std::string database, container, item;
  AppendDatabaseRid(0x01020304, &database);
  AppendContainerRid(0x01020304, 5, &container);
  AppendItemRid(0x01020304, 5, 0x0122334455667788, &item);
  EXPECT_EQ(Decoded(database), "01020304");
  EXPECT_EQ(Decoded(container), "0102030480000005");
  EXPECT_EQ(Decoded(item), "01020304800000058877665544332201") << "clients read an item's number little-endian";
  std::string range;
  AppendRangeRid(0x01020304, 5, 3, &range);
  EXPECT_EQ(Decoded(range), "01020304800000050300000000000050") << "the kind is in the top bits of the last byte";
}

TEST(ResourceIdsTest, RidsHaveNoSlash) {
  std::string rid;
  AppendItemRid(0xFFFFFFFF, 0x7FFFFFFF, UINT64_MAX, &rid);
  EXPECT_EQ(rid.find('/'), std::string::npos);
  EXPECT_EQ(Decoded(rid), std::string(32, 'F'));
}

std::string Encoded(std::string_view hex) {
  std::string bytes;
  EXPECT_TRUE(FromHex(hex, &bytes)) << hex;
  return Base64(bytes, kBase64DashForSlash);
}

TEST(ResourceIdsTest, ARidSaysWhatItIsOf) {
  using Kind = Rid::Kind;
  struct Case {
    std::string_view hex;
    Kind kind;
    uint32_t container;
    uint32_t user;
    uint64_t number;
  };
  for (const Case& c : {Case{"01020304", Kind::kDatabase, 0, 0, 0},
                        {"0102030480000005", Kind::kContainer, 5, 0, 0},
                        {"0102030400000007", Kind::kUser, 0, 7, 7},
                        {"01020304000000070900000000000000", Kind::kPermission, 0, 7, 9},
                        {"01020304000000000000000A02000000", Kind::kEncryptionKey, 0, 0, 10},
                        {"0102030480000005887766554433220F", Kind::kItem, 5, 0, 0x0F22334455667788},
                        {"01020304800000050100000000000040", Kind::kConflict, 5, 0, 1},
                        {"01020304800000050300000000000050", Kind::kRange, 5, 0, 3},
                        {"01020304800000050300000000000060", Kind::kScript, 5, 0, 3},
                        {"01020304800000050300000000000080", Kind::kScript, 5, 0, 3}}) {
    const std::optional<Rid> rid = ParseRid(Encoded(c.hex));
    ASSERT_TRUE(rid.has_value()) << c.hex;
    EXPECT_EQ(rid->kind, c.kind) << c.hex;
    EXPECT_EQ(rid->database, 0x01020304U) << c.hex;
    EXPECT_EQ(rid->container, c.container) << c.hex;
    EXPECT_EQ(rid->user, c.user) << c.hex;
    EXPECT_EQ(rid->number, c.number) << c.hex;
  }
}

TEST(ResourceIdsTest, WhatIsShownIsUnderstood) {
  std::string item, range, user, permission, key;
  AppendItemRid(3, 4, engine::MakeItemNumber(5, 6), &item);
  AppendRangeRid(3, 4, 7, &range);
  AppendUserRid(3, 8, &user);
  AppendPermissionRid(3, 8, 9, &permission);
  AppendEncryptionKeyRid(3, 10, &key);
  EXPECT_EQ(ParseRid(item)->number, engine::MakeItemNumber(5, 6));
  EXPECT_EQ(ParseRid(range)->number, 7U);
  EXPECT_EQ(ParseRid(user)->user, 8U);
  EXPECT_EQ(ParseRid(permission)->number, 9U);
  EXPECT_EQ(ParseRid(permission)->user, 8U);
  EXPECT_EQ(ParseRid(key)->number, 10U);
}

TEST(ResourceIdsTest, OtherTextsAreNoRids) {
  for (std::string_view text : {"", "db", "AAAA", "AAAAAQ=", "AAAAAQ", "AAAAA/==", "AAAA AQ=", "AAAAAAAAAAA="}) {
    EXPECT_FALSE(ParseRid(text).has_value()) << text;
  }
  for (std::string_view hex :
       {"00000000", "0102030400000000", "0000000080000005", "010203", "0102030480", "01020304800000050300000000000010",
        "010203048000000503000000000000F0", "01020304000000000000000A03000000", "010203048000000503000000000000500A"}) {
    EXPECT_FALSE(ParseRid(Encoded(hex)).has_value()) << hex;
  }
  EXPECT_FALSE(ParseRid(std::string(1 << 20, 'A')).has_value());
  EXPECT_TRUE(IsDatabaseRid("AAAAAQ=="));
  EXPECT_FALSE(IsDatabaseRid("AAAAAA=="));
  EXPECT_FALSE(IsDatabaseRid("AAAAAYAAAAE="));
}

TEST(ResourceIdsTest, ItemEtagsRoundTrip) {
  engine::ItemVersion version{.sequence = 0x123456789ABCDEF0, .ts_s = 1'750'000'000};
  std::string etag;
  AppendItemEtag(7, {version, 1, engine::MakeItemNumber(3, 9)}, &etag);
  EXPECT_EQ(etag, "\"70000300-684e-e180-1234-56789abcdef0\"");
  EXPECT_EQ(ParseItemEtag(etag, 7), version);
  EXPECT_EQ(ParseItemEtag(etag.substr(1, etag.size() - 2), 7), version);
  const engine::ItemVersion far{.sequence = UINT64_MAX, .ts_s = 253'402'300'799};
  etag.clear();
  AppendItemEtag(0xFFFFFFFF, {far, 1, 1}, &etag);
  EXPECT_EQ(ParseItemEtag(etag, 0xFFFFFFFF), far) << "all bits of a time beyond 2^32 are kept";
}

TEST(ResourceIdsTest, OtherTextsAreNoEtags) {
  std::string etag;
  AppendItemEtag(7, {{.sequence = 1, .ts_s = 2}, 1, 1}, &etag);
  EXPECT_EQ(ParseItemEtag(etag, 8), std::nullopt);
  for (std::string_view text : {"", "\"\"", "*", "abc", "\"70000000-0000-0000-0000-00000000000g\"",
                                "\"00000007x0000-0000-0000-000000000001\"", "00000007-0000-0000-0000-0000000000011"}) {
    EXPECT_EQ(ParseItemEtag(text, 7), std::nullopt) << text;
  }
}

TEST(ResourceIdsTest, ContainerEtagsRoundTrip) {
  std::string etag;
  AppendContainerEtag(7, 42, &etag);
  EXPECT_EQ(ParseContainerEtag(etag, 7), 42U);
  EXPECT_EQ(ParseContainerEtag(etag, 6), std::nullopt);
}

}  // namespace
}  // namespace lapse::api::cosmos
