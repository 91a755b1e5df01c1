// Whether a resource token is good for a request.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/cosmos/auth/resource_token.h"
#include "api/cosmos/route_table.h"
#include "api/cosmos/wire/routes.h"
#include "base/status.h"
#include "engine/catalog/catalog.h"
#include "net/http.h"

namespace lapse::api::cosmos {

// Looks at the live permission and the live container. `row` is what the request will do; null: nothing. `now_ms` is
// real time. The container that the request may touch is the result; nullopt for requests that touch none. Fails:
// kUnauthenticated for a token that is none of ours, kForbidden for one that has ended or is not good for this,
// kInvalidArgument for headers that name another scope beside the token's key.
Result<std::optional<engine::ContainerId>> DecideForToken(const TokenSigner& signer, std::string_view proof,
                                                          const RouteRow* row, const Route& route,
                                                          const net::Request& request, engine::Catalog& catalog,
                                                          int64_t now_ms);

}  // namespace lapse::api::cosmos
