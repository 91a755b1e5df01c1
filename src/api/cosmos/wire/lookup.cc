#include "api/cosmos/wire/lookup.h"

namespace lapse::api::cosmos {

Result<engine::ContainerPtr> FindContainer(const Call& call) {
  return call.catalog().FindContainer(call.route().database(), call.route().container());
}

ApiError ContainerMissing(const Call& call) {
  bool has_database = call.catalog().FindDatabase(call.route().database()).ok();
  return has_database ? FromStatus(Status(Code::kNotFound, "")) : OwnerNotFound();
}

}  // namespace lapse::api::cosmos
