#include "api/cosmos/wire/lookup.h"

namespace lapse::api::cosmos {

Result<engine::ContainerPtr> FindContainer(const Call& call) {
  Result<engine::ContainerPtr> found = call.catalog().FindContainer(call.route().database(), call.route().container());
  // Since the request was authorised, another container may have got the name.
  if (found.ok() && call.bound() && (*found)->id() != *call.bound()) {
    return Status(Code::kForbidden, "The container that the authorization token is for is no longer there.");
  }
  return found;
}

ApiError ContainerMissing(const Call& call, const Status& found) {
  if (found.code() != Code::kNotFound) return FromStatus(found);
  const Status database = call.catalog().FindDatabase(call.route().database()).status();
  return database.ok() ? FromStatus(Status(Code::kNotFound, "")) : OwnerMissing(database);
}

}  // namespace lapse::api::cosmos
