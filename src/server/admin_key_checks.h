// Lets the admin routes check keys as the document API does.
#pragma once

#include "api/admin/access.h"
#include "api/cosmos/cosmos_api.h"

namespace lapse::server {

// Signatures of admin requests have the type `_lapse`. Their link is the path as sent, without its leading slash.
// `cosmos` must outlive the checks.
api::admin::KeyChecks AdminKeyChecks(const api::cosmos::CosmosApi* cosmos);

}  // namespace lapse::server
