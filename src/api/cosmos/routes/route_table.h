// Every request that the API knows: what it does, on what, and which handler serves it. Dispatch and authorisation both
// use these rows, so a request without a row is neither served nor allowed.
#pragma once

#include <span>

#include "api/cosmos/wire/request_form.h"
#include "api/cosmos/wire/route_row.h"
#include "api/cosmos/wire/routes.h"

namespace lapse::api::cosmos {

std::span<const RouteRow> RouteTable();

// Returns null if the route has no such form.
const RouteRow* FindRow(RouteKind route, Form form);

}  // namespace lapse::api::cosmos
