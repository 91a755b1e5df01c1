#include "api/cosmos/auth/token_decision.h"

#include <string>

#include "api/cosmos/auth/grant.h"
#include "api/cosmos/partition_key/partition_key_values.h"
#include "api/cosmos/partition_key/range_headers.h"
#include "api/cosmos/wire/credentials/authenticator.h"
#include "api/cosmos/wire/lookup.h"
#include "base/calendar.h"

namespace lapse::api::cosmos {
namespace {

Status Insufficient() {
  return Status(Code::kForbidden,
                "Insufficient permissions provided in the authorization header for the corresponding request. Please "
                "retry with another authorization header.");
}

Status ModeTooLow() {
  return Status(Code::kForbidden,
                "The permission mode provided in the authorization token doesn't provide sufficient permissions for "
                "the request.");
}

Status CheckTime(const TokenClaims& claims, int64_t now_ms) {
  if (now_ms < claims.expiry_s * 1000 && now_ms >= claims.start_s * 1000 - kDateSkewMaxMs) return Status::Ok();
  return Status(Code::kForbidden,
                "The authorization token is not valid at the current time. Please create another token and retry "
                "(token start time: " +
                    Rfc1123Date(claims.start_s) + ", token expiry time: " + Rfc1123Date(claims.expiry_s) +
                    ", current server time: " + Rfc1123Date(now_ms / 1000) + ").");
}

// Returns what the permission grants now, if the token was issued for exactly that.
Result<Grant> LiveGrant(const TokenClaims& claims, const engine::CatalogView& catalog) {
  Result<engine::OwnedResourcePtr> permission = catalog.FindResource(claims.permission);
  if (permission.status().code() == Code::kNotFound) return Insufficient();
  if (!permission.ok()) return permission.status();
  Result<Grant> grant = ReadGrant((*permission)->content.properties);
  if (!grant.ok() || grant->mode != claims.mode || grant->Digest() != claims.grant) return Insufficient();
  return grant;
}

// The request's header must restrict it to the key, and no other header may say where it goes.
Status CheckKey(const std::string& key, const net::Request& request) {
  for (std::string_view name : kRangeHeaders) {
    if (!request.HasHeader(name)) continue;
    return Status(Code::kInvalidArgument, "The authorization token is for one partition key: the header " +
                                              std::string(name) + " cannot go with it.");
  }
  const std::string_view header = request.Header("x-ms-documentdb-partitionkey");
  if (header.empty()) return Insufficient();
  LAPSE_ASSIGN_OR_RETURN(const PartitionKeyValues values, ParsePartitionKeyHeader(header));
  return engine::EncodeKeyValue(values) == key ? Status::Ok() : Insufficient();
}

Status CheckScope(const Grant& grant, Subject subject, const Route& route, const net::Request& request) {
  const bool on_container = grant.scope == Grant::Scope::kContainer;
  switch (subject) {
    case Subject::kAccount:
    case Subject::kContainer: return Status::Ok();
    case Subject::kPlan: return on_container ? Status::Ok() : Insufficient();
    case Subject::kItems:
      if (!on_container) return Insufficient();
      break;
    case Subject::kItem:
      if (!on_container && !grant.IsOn(route)) return Insufficient();
      break;
    case Subject::kAccountAlone:
    case Subject::kReadWriteAlone: return Insufficient();
  }
  return grant.key ? CheckKey(*grant.key, request) : Status::Ok();
}

}  // namespace

Result<Allowance> DecideForToken(const TokenSigner& signer, std::string_view proof, const RouteRow* row,
                                 const Route& route, const net::Request& request, const engine::CatalogView& catalog,
                                 int64_t now_ms) {
  LAPSE_ASSIGN_OR_RETURN(const TokenClaims claims, signer.Verify(proof));
  LAPSE_RETURN_IF_ERROR(CheckTime(claims, now_ms));
  LAPSE_ASSIGN_OR_RETURN(const Grant grant, LiveGrant(claims, catalog));
  if (row == nullptr || row->subject == Subject::kAccountAlone || row->subject == Subject::kReadWriteAlone) {
    return Insufficient();
  }
  if (row->subject == Subject::kAccount) return Allowance();
  Result<engine::ContainerPtr> container = FindContainer(route, catalog);
  if (!container.ok() && container.status().code() != Code::kNotFound) return container.status();
  if (!container.ok() || (*container)->id() != claims.container) return Insufficient();
  LAPSE_RETURN_IF_ERROR(CheckScope(grant, row->subject, route, request));
  const Status may_write = grant.mode == GrantMode::kAll ? Status::Ok() : ModeTooLow();
  if (row->effect == Effect::kWrites) LAPSE_RETURN_IF_ERROR(may_write);
  return Allowance{claims.container, may_write};
}

}  // namespace lapse::api::cosmos
