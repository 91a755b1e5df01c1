// The container that a request's path names.
#pragma once

#include "api/cosmos/wire/call.h"
#include "base/status.h"
#include "engine/catalog/catalog.h"

namespace lapse::api::cosmos {

// Fails: kNotFound; kForbidden when it is not the one that the request was authorised for.
Result<engine::ContainerPtr> FindContainer(const Call& call);

// The error of a request for a container by what FindContainer came to: its database may be missing too.
ApiError ContainerMissing(const Call& call, const Status& found);

}  // namespace lapse::api::cosmos
