#include "api/cosmos/wire/lookup.h"

namespace lapse::api::cosmos {

Result<engine::ContainerPtr> FindContainer(const Call& call) {
  return call.catalog().FindContainer(call.route().database(), call.route().container());
}

ApiError ContainerMissing(const Call& call, const Status& found) {
  if (found.code() != Code::kNotFound) return FromStatus(found);
  const Status database = call.catalog().FindDatabase(call.route().database()).status();
  return database.ok() ? FromStatus(Status(Code::kNotFound, "")) : OwnerMissing(database);
}

}  // namespace lapse::api::cosmos
