// Permissions, and the tokens that every response about them contains.
#include <charconv>
#include <string>
#include <system_error>
#include <utility>

#include "api/cosmos/auth/grant.h"
#include "api/cosmos/users/handlers.h"
#include "api/cosmos/users/owned_kind.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/system_properties.h"
#include "base/hex.h"

namespace lapse::api::cosmos {
namespace {

constexpr std::string_view kExpiryHeader = "x-ms-documentdb-expiry-seconds";

// Returns the lifetime of the tokens in this response.
Result<int64_t> ReadLifetime(const net::Request& request) {
  const std::string_view header = request.Header(kExpiryHeader);
  if (header.empty()) return kTokenLifetimeDefault_s;
  int64_t lifetime_s = 0;
  const auto [end, error] = std::from_chars(header.data(), header.data() + header.size(), lifetime_s);
  if (error == std::errc() && end == header.data() + header.size() && lifetime_s >= kTokenLifetimeMin_s &&
      lifetime_s <= kTokenLifetimeMax_s) {
    return lifetime_s;
  }
  return Status(Code::kInvalidArgument,
                "The value of x-ms-documentdb-expiry-seconds must be a number of seconds from 600 to 86400.");
}

Result<engine::ResourcePlace> PlaceOfPermissions(const Call& call) {
  LAPSE_ASSIGN_OR_RETURN(const engine::ResourcePlace users, PlaceInDatabase(call, kUserKind));
  LAPSE_ASSIGN_OR_RETURN(const engine::OwnedResourcePtr user,
                         call.route().by_rid() ? Numbered(call, users, call.route().rid()->user)
                                               : call.catalog().FindResource(users, call.route().user()));
  return engine::ResourcePlace{.database = users.database, .owner = user->number, .kind = kPermissionKind};
}

// A user has one permission for a resource, and one for each partition key of it. A container has a link by name and
// one by rid, which count as one resource. The links of an item are not compared, because that would require reading
// the item.
Result<std::string> UniqueOfPermission(const Call& call, std::string_view document) {
  LAPSE_ASSIGN_OR_RETURN(const Grant grant, ReadGrant(document));
  const engine::ContainerId container =
      grant.scope == Grant::Scope::kContainer ? grant.ContainerIn(call.catalog()) : engine::ContainerId{0};
  const std::string resource = container == 0 ? grant.resource : "\ncontainer " + std::to_string(container);
  return resource + (grant.key ? "\nkey " + HexUpper(*grant.key) : "");
}

Status CheckLifetime(const net::Request& request) {
  return ReadLifetime(request).status();
}

std::string TokenFor(const Call& call, const engine::OwnedResource& permission) {
  // Both were checked before: the document when it was stored, the header when the request arrived.
  const Result<Grant> grant = ReadGrant(permission.content.properties);
  const Result<int64_t> lifetime_s = ReadLifetime(call.request());
  if (!grant.ok() || !lifetime_s.ok()) return "";
  TokenClaims claims;
  claims.permission = permission.number;
  claims.container = grant->ContainerIn(call.catalog());
  claims.start_s = call.context().wall->NowMs() / 1000;
  claims.expiry_s = claims.start_s + *lifetime_s;
  claims.mode = grant->mode;
  claims.grant = grant->Digest();
  return call.context().tokens->Issue(claims);
}

void AppendPermissionJson(const Call& call, const engine::OwnedResource& permission, std::string* json) {
  const engine::ResourcePlace& place = permission.place;
  OwnedNames names;
  AppendPermissionRid(place.database, place.owner, permission.number, &names.rid);
  names.self = "dbs/";
  AppendDatabaseRid(place.database, &names.self);
  names.self += "/users/";
  AppendUserRid(place.database, place.owner, &names.self);
  names.self += "/permissions/" + names.rid + "/";
  names.etag = OwnedEtag(permission);
  AppendOwnedJson(permission, names, R"(,"_token":")" + TokenFor(call, permission) + "\"", json);
}

constexpr OwnedKind kPermissions = {.kind = kPermissionKind,
                                    .feed_name = "Permissions",
                                    .place = PlaceOfPermissions,
                                    .name = NameOfChild,
                                    .unique = UniqueOfPermission,
                                    .check = CheckLifetime,
                                    .append = AppendPermissionJson,
                                    .conditional_read = false,
                                    .renames = true};

}  // namespace

void CreatePermission(CallPtr call) {
  CreateOwned(kPermissions, std::move(call));
}
void UpsertPermission(CallPtr call) {
  UpsertOwned(kPermissions, std::move(call));
}
void ListPermissions(CallPtr call) {
  ListOwned(kPermissions, std::move(call));
}
void QueryPermissions(CallPtr call) {
  QueryOwned(kPermissions, std::move(call));
}
void ReadPermission(CallPtr call) {
  ReadOwned(kPermissions, std::move(call));
}
void ReplacePermission(CallPtr call) {
  ReplaceOwned(kPermissions, std::move(call));
}
void DeletePermission(CallPtr call) {
  DeleteOwned(kPermissions, std::move(call));
}

}  // namespace lapse::api::cosmos
