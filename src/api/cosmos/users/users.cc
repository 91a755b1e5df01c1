#include <string>
#include <utility>

#include "api/cosmos/users/handlers.h"
#include "api/cosmos/users/owned_kind.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/system_properties.h"

namespace lapse::api::cosmos {
namespace {

Result<engine::ResourcePlace> PlaceOfUsers(const Call& call) {
  return PlaceInDatabase(call, kUserKind);
}

std::string_view NameOfUser(const Route& route) {
  return route.user();
}

Result<std::string> NothingUnique(const Call&, std::string_view) {
  return std::string();
}

void AppendUserJson(const Call&, const engine::OwnedResource& user, std::string* json) {
  OwnedNames names;
  AppendUserRid(user.place.database, user.number, &names.rid);
  names.self = "dbs/";
  AppendDatabaseRid(user.place.database, &names.self);
  names.self += "/users/" + names.rid + "/";
  names.etag = OwnedEtag(user);
  AppendOwnedJson(user, names, R"(,"_permissions":"permissions/")", json);
}

constexpr OwnedKind kUsers = {.kind = kUserKind,
                              .feed_name = "Users",
                              .place = PlaceOfUsers,
                              .name = NameOfUser,
                              .unique = NothingUnique,
                              .check = AnyHeaders,
                              .append = AppendUserJson,
                              .conditional_read = true,
                              .renames = true};

}  // namespace

void CreateUser(CallPtr call) {
  CreateOwned(kUsers, std::move(call));
}
void UpsertUser(CallPtr call) {
  UpsertOwned(kUsers, std::move(call));
}
void ListUsers(CallPtr call) {
  ListOwned(kUsers, std::move(call));
}
void QueryUsers(CallPtr call) {
  QueryOwned(kUsers, std::move(call));
}
void ReadUser(CallPtr call) {
  ReadOwned(kUsers, std::move(call));
}
void ReplaceUser(CallPtr call) {
  ReplaceOwned(kUsers, std::move(call));
}
void DeleteUser(CallPtr call) {
  DeleteOwned(kUsers, std::move(call));
}

}  // namespace lapse::api::cosmos
