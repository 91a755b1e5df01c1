#include "api/cosmos/wire/routes.h"

#include <gtest/gtest.h>

namespace lapse::api::cosmos {
namespace {

struct RouteCase {
  std::string_view path;
  RouteKind kind;
  std::string_view type;
  std::string_view link;
};

TEST(RouteTest, KnowsEveryRouteAndWhatItsSignatureCovers) {
  const RouteCase cases[] = {
      {"/", RouteKind::kAccount, "", ""},
      {"", RouteKind::kAccount, "", ""},
      {"//", RouteKind::kAccount, "", ""},
      {"/dbs", RouteKind::kDatabases, "dbs", ""},
      {"//dbs", RouteKind::kDatabases, "dbs", ""},
      {"//dbs/D/colls/C/docs/I", RouteKind::kItem, "docs", "dbs/D/colls/C/docs/I"},
      {"//dbs/D/colls/C/docs/", RouteKind::kItems, "docs", "dbs/D/colls/C"},
      {"//offers/AbC=", RouteKind::kOffer, "offers", "abc="},
      {"/dbs/", RouteKind::kDatabases, "dbs", ""},
      {"/dbs/D", RouteKind::kDatabase, "dbs", "dbs/D"},
      {"/dbs/D/colls", RouteKind::kContainers, "colls", "dbs/D"},
      {"/dbs/D/colls/C", RouteKind::kContainer, "colls", "dbs/D/colls/C"},
      {"/dbs/D/colls/C/", RouteKind::kContainer, "colls", "dbs/D/colls/C"},
      {"/dbs/D/colls/C/docs", RouteKind::kItems, "docs", "dbs/D/colls/C"},
      {"/dbs/D/colls/C/docs/I", RouteKind::kItem, "docs", "dbs/D/colls/C/docs/I"},
      {"/dbs/D/colls/C/pkranges", RouteKind::kPartitionKeyRanges, "pkranges", "dbs/D/colls/C"},
      {"/offers", RouteKind::kOffers, "offers", ""},
      {"/offers/AbC=", RouteKind::kOffer, "offers", "abc="},
      {"/dbs/D/colls/C/sprocs/S", RouteKind::kScript, "sprocs", "dbs/D/colls/C/sprocs/S"},
      {"/dbs/D/colls/C/conflicts", RouteKind::kConflicts, "conflicts", "dbs/D/colls/C"},
      {"/dbs/D/colls/C/operations/partitionkeydelete", RouteKind::kKeyDeletion, "colls", "dbs/D/colls/C"},
      {"/dbs/D/users/U/permissions/P", RouteKind::kPermission, "permissions", "dbs/D/users/U/permissions/P"},
      {"/dbs/D/clientencryptionkeys", RouteKind::kEncryptionKeys, "clientencryptionkeys", "dbs/D"},
  };
  for (const RouteCase& c : cases) {
    Route route;
    route.Parse(c.path);
    EXPECT_EQ(route.kind(), c.kind) << c.path;
    EXPECT_EQ(route.resource_type(), c.type) << c.path;
    EXPECT_EQ(route.resource_link(), c.link) << c.path;
  }
}

TEST(RouteTest, RefusesWhatIsNoRoute) {
  for (std::string_view path : {"/x", "/dbs//colls", "///", "///dbs", "/dbs/D/x", "/dbs/D/colls/C/x",
                                "/dbs/D/colls/C/docs/I/x", "/dbs/D/colls/C/docs/I/attachments/A", "/dbs/%4", "/dbs/%zz",
                                "/offers/a/b", "/dbs/D/colls/C/operations/other", "//_lapse/health"}) {
    Route route;
    route.Parse(path);
    EXPECT_EQ(route.kind(), RouteKind::kUnknown) << path;
  }
}

TEST(RouteTest, DecodesIdsOnceAndKeepsTheEncodedContainerLink) {
  Route route;
  route.Parse("/dbs/my%20db/colls/%E6%97%A5/docs/a%252B+%22'");
  EXPECT_EQ(route.kind(), RouteKind::kItem);
  EXPECT_EQ(route.database(), "my db");
  EXPECT_EQ(route.container(), "\xE6\x97\xA5");
  EXPECT_EQ(route.item(), "a%2B+\"'");
  EXPECT_EQ(route.resource_link(), "dbs/my db/colls/\xE6\x97\xA5/docs/a%2B+\"'");
  EXPECT_EQ(route.encoded_container_link(), "dbs/my%20db/colls/%E6%97%A5");
}

TEST(RouteTest, TakesUsersAndPermissionsApart) {
  Route route;
  route.Parse("/dbs/D/users/my%20user/permissions/P");
  EXPECT_EQ(route.database(), "D");
  EXPECT_EQ(route.user(), "my user");
  EXPECT_EQ(route.item(), "P");
  EXPECT_EQ(route.container(), "");
  Route key;
  key.Parse("/dbs/D/clientencryptionkeys/K");
  EXPECT_EQ(key.kind(), RouteKind::kEncryptionKey);
  EXPECT_EQ(key.item(), "K");
}

TEST(RouteTest, ByRidTheLastRidAloneIsSigned) {
  const RouteCase cases[] = {
      {"/dbs/AAAAAQ==", RouteKind::kDatabase, "dbs", "aaaaaq=="},
      {"/dbs/AAAAAQ==/colls", RouteKind::kContainers, "colls", "aaaaaq=="},
      {"/dbs/AAAAAQ==/colls/AAAAAYAAAAE=/", RouteKind::kContainer, "colls", "aaaaayaaaae="},
      {"//dbs/AAAAAQ%3D%3D/colls/AAAAAYAAAAE%3d/", RouteKind::kContainer, "colls", "aaaaayaaaae="},
      {"/dbs/AAAAAQ==/colls/AAAAAYAAAAE=/pkranges", RouteKind::kPartitionKeyRanges, "pkranges", "aaaaayaaaae="},
      {"/dbs/AAAAAQ==/colls/AAAAAYAAAAE=/docs/", RouteKind::kItems, "docs", "aaaaayaaaae="},
      {"/dbs/AAAAAQ==/colls/AAAAAYAAAAE=/docs/AAAAAYAAAAEBAAAAAAAAAA==/", RouteKind::kItem, "docs",
       "aaaaayaaaaebaaaaaaaaaa=="},
      {"/dbs/AAAAAQ==/colls/AAAAAYAAAAE=/operations/partitionkeydelete", RouteKind::kKeyDeletion, "colls",
       "aaaaayaaaae="},
      {"/dbs/AAAAAQ==/users/AAAAAQAAAAc=/permissions", RouteKind::kPermissions, "permissions", "aaaaaqaaaac="},
  };
  for (const RouteCase& c : cases) {
    Route route;
    route.Parse(c.path);
    ASSERT_TRUE(route.may_be_rids()) << c.path;
    EXPECT_FALSE(route.by_rid()) << c.path;
    route.TakeAsRids();
    EXPECT_TRUE(route.by_rid()) << c.path;
    EXPECT_EQ(route.kind(), c.kind) << c.path;
    EXPECT_EQ(route.resource_type(), c.type) << c.path;
    EXPECT_EQ(route.resource_link(), c.link) << c.path;
    ASSERT_TRUE(route.rid().has_value()) << c.path;
    EXPECT_EQ(route.rid()->database, 1U) << c.path;
    EXPECT_EQ(route.database(), "") << "no name is left: " << c.path;
    EXPECT_EQ(route.container(), "") << c.path;
    EXPECT_EQ(route.item(), "") << c.path;
    EXPECT_EQ(route.user(), "") << c.path;
  }
}

TEST(RouteTest, OnlyTheLastRidCounts) {
  Route route;
  route.Parse("/dbs/AAAAAQ==/colls/anything/docs/AAAAA4AAAAIBAAAAAAAAAA==");
  route.TakeAsRids();
  ASSERT_TRUE(route.rid().has_value());
  EXPECT_EQ(route.rid()->database, 3U);
  EXPECT_EQ(route.rid()->container, 2U);
  EXPECT_EQ(route.rid()->number, 1U);
}

TEST(RouteTest, ARidOfAnotherKindIsNone) {
  for (std::string_view path :
       {"/dbs/AAAAAQ==/colls/c", "/dbs/AAAAAQ==/colls/AAAAAQ==", "/dbs/AAAAAQ==/colls/AAAAAQAAAAc=",
        "/dbs/AAAAAQ==/users/AAAAAYAAAAE=", "/dbs/AAAAAQ==/colls/AAAAAYAAAAE=/docs/AAAAAYAAAAE=",
        "/dbs/AAAAAQ==/colls/AAAAAYAAAAE=/docs/AAAAAYAAAAEAAAAAAAAAUA==",
        "/dbs/AAAAAQ==/colls/AAAAAYAAAAE=/pkranges/AAAAAYAAAAEBAAAAAAAAAA=="}) {
    Route route;
    route.Parse(path);
    ASSERT_TRUE(route.may_be_rids()) << path;
    route.TakeAsRids();
    EXPECT_FALSE(route.rid().has_value()) << path;
  }
}

TEST(RouteTest, NamesAreSeldomRids) {
  for (std::string_view path : {"/", "/dbs", "/dbs/db", "/dbs/AAAAAA==", "/dbs/AAAAAYAAAAE=", "/dbs/AAAAAQ=",
                                "/dbs/12345678", "/offers/AAAAAQ==", "/dbs/%41AAAAQ=%3"}) {
    Route route;
    route.Parse(path);
    EXPECT_FALSE(route.may_be_rids()) << path;
  }
}

TEST(RouteTest, KnowsWhereClientsAskForAddresses) {
  EXPECT_TRUE(IsAddressesPath("/addresses"));
  EXPECT_TRUE(IsAddressesPath("//addresses/"));
  EXPECT_FALSE(IsAddressesPath("/dbs/addresses"));
  EXPECT_FALSE(IsAddressesPath("/addresses/x"));
}

TEST(RouteTest, TheContainerLinkIsTheSameAfterTwoSlashes) {
  Route route;
  route.Parse("//dbs/my%20db/colls/c/docs/i");
  EXPECT_EQ(route.encoded_container_link(), "dbs/my%20db/colls/c");
  EXPECT_EQ(route.database(), "my db");
}

TEST(RouteTest, AnEncodedSlashStaysWithinItsId) {
  Route route;
  route.Parse("/dbs/a%2Fcolls%2Fb");
  EXPECT_EQ(route.kind(), RouteKind::kDatabase);
  EXPECT_EQ(route.database(), "a/colls/b");
}

}  // namespace
}  // namespace lapse::api::cosmos
