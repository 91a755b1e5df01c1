#include "api/cosmos/wire/resource_ids.h"

#include <gtest/gtest.h>

#include <cstdint>
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
