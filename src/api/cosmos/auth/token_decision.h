// Decides whether a resource token authorises a request.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/cosmos/wire/credentials/resource_token.h"
#include "api/cosmos/wire/route_row.h"
#include "api/cosmos/wire/routes.h"
#include "base/status.h"
#include "engine/catalog/view/catalog_view.h"
#include "net/http.h"

namespace lapse::api::cosmos {

// What an authorised request may do.
struct Allowance {
  std::optional<engine::ContainerId> bound;  // the only container that it may touch; nullopt: any
  Status may_write;                          // if only the body says what the request does: ok, or the error of a write
};

// Checks the live permission and the live container. `row` is what the request will do; null: nothing. `now_ms` is real
// time. Fails: kUnauthenticated for a token that this server did not issue; kForbidden for one that has expired or does
// not cover the request; kInvalidArgument for headers that name another scope than the token's key.
Result<Allowance> DecideForToken(const TokenSigner& signer, std::string_view proof, const RouteRow* row,
                                 const Route& route, const net::Request& request, const engine::CatalogView& catalog,
                                 int64_t now_ms);

}  // namespace lapse::api::cosmos
