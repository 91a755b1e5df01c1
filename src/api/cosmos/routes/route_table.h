// Every request that the API knows: what it does, on what, and who serves it. Dispatch and authorisation both go by
// these rows, so a request that has none is neither served nor allowed.
#pragma once

#include <span>

#include "api/cosmos/wire/request_form.h"
#include "api/cosmos/wire/route_row.h"
#include "api/cosmos/wire/routes.h"

namespace lapse::api::cosmos {

std::span<const RouteRow> RouteTable();

// Null when the route has no such form.
const RouteRow* FindRow(RouteKind route, Form form);

}  // namespace lapse::api::cosmos
