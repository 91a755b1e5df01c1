// Whether a resource token is good for a request.
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
  std::optional<engine::ContainerId> bound;  // the one container that it may touch; nullopt: any
  Status may_write;  // where the body says what the request does: the error that a write gets, ok if there is none
};

// Looks at the live permission and the live container. `row` is what the request will do; null: nothing. `now_ms` is
// real time. Fails: kUnauthenticated for a token that is none of ours, kForbidden for one that has ended or is not good
// for this, kInvalidArgument for headers that name another scope beside the token's key.
Result<Allowance> DecideForToken(const TokenSigner& signer, std::string_view proof, const RouteRow* row,
                                 const Route& route, const net::Request& request, const engine::CatalogView& catalog,
                                 int64_t now_ms);

}  // namespace lapse::api::cosmos
