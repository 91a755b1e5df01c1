#include "api/cosmos/wire/routes.h"

#include <gtest/gtest.h>

namespace lapse::api::cosmos {
namespace {

struct Case {
  std::string_view path;
  RouteKind kind;
  std::string_view type;
  std::string_view link;
};

TEST(RouteTest, KnowsEveryRouteAndWhatItsSignatureCovers) {
  const Case cases[] = {
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
  for (const Case& c : cases) {
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
