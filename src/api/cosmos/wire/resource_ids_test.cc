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
  AppendItemRid(0x01020304, 5, 0x1122334455667788, &item);
  EXPECT_EQ(Decoded(database), "01020304");
  EXPECT_EQ(Decoded(container), "0102030480000005");
  EXPECT_EQ(Decoded(item), "01020304800000051122334455667788");
}

TEST(ResourceIdsTest, RidsHaveNoSlash) {
  std::string rid;
  AppendItemRid(0xFFFFFFFF, 0x7FFFFFFF, UINT64_MAX, &rid);
  EXPECT_EQ(rid.find('/'), std::string::npos);
  EXPECT_EQ(Decoded(rid), std::string(32, 'F'));
}

TEST(ResourceIdsTest, ItemEtagsRoundTrip) {
  engine::ItemVersion version{.lsn = 0x123456789ABCDEF0, .ts_s = 1'750'000'000};
  std::string etag;
  AppendItemEtag(7, version, &etag);
  EXPECT_EQ(etag, "\"00000007-1234-5678-9abc-def0684ee180\"");
  EXPECT_EQ(ParseItemEtag(etag, 7), version);
  EXPECT_EQ(ParseItemEtag(etag.substr(1, etag.size() - 2), 7), version);
}

TEST(ResourceIdsTest, OtherTextsAreNoEtags) {
  std::string etag;
  AppendItemEtag(7, {.lsn = 1, .ts_s = 2}, &etag);
  EXPECT_EQ(ParseItemEtag(etag, 8), std::nullopt);
  for (std::string_view text : {"", "\"\"", "*", "abc", "\"00000007-0000-0000-0000-00000000000g\"",
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
