#include <string>

#include "api/cosmos/account/handlers.h"
#include "doc/json.h"

namespace lapse::api::cosmos {
namespace {

// Not "localhost": a client would then reload the account before every request.
constexpr std::string_view kAccountId = "lapse";
constexpr size_t kHostBytesMax = 255;

// The limits that the clients' own query layers apply.
constexpr std::string_view kQueryEngineConfiguration =
    R"({"maxSqlQueryInputLength":262144,"maxJoinsPerSqlQuery":5,"maxLogicalAndPerSqlQuery":500,)"
    R"("maxLogicalOrPerSqlQuery":500,"maxUdfRefPerSqlQuery":10,"maxInExpressionItemsCount":16000,)"
    R"("queryMaxInMemorySortDocumentCount":500,"maxQueryRequestTimeoutFraction":0.9,)"
    R"("sqlAllowNonFiniteNumbers":false,"sqlAllowAggregateFunctions":true,"sqlAllowSubQuery":true,)"
    R"("sqlAllowScalarSubQuery":true,"allowNewKeywords":true,"sqlAllowLike":true,"sqlAllowGroupByClause":true,)"
    R"("maxSpatialQueryCells":12,"spatialMaxGeometryPointCount":256,"sqlDisableOptimizationFlags":0,)"
    R"("sqlAllowTop":true,"enableSpatialIndexing":true})";

// A host name or address, perhaps with a port. It is echoed, so nothing else may pass.
bool IsHost(std::string_view host) {
  if (host.empty() || host.size() > kHostBytesMax) return false;
  for (char c : host) {
    bool letter_or_digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter_or_digit && c != '.' && c != '-' && c != '_' && c != ':' && c != '[' && c != ']') return false;
  }
  return true;
}

}  // namespace

void ReadAccount(CallPtr call) {
  std::string_view host = call->request().Header("host");
  if (!IsHost(host)) return call->Fail(Status(Code::kInvalidArgument, "The Host header is missing or is not a host."));
  std::string locations = R"([{"name":"Local","databaseAccountEndpoint":")";
  locations.append(call->request().secure ? "https://" : "http://").append(host).append(R"(/"}])");

  std::string& body = call->body();
  body.append(R"({"_self":"","id":")").append(kAccountId).append(R"(","_rid":")").append(kAccountId);
  body.append(R"(","media":"//media/","addresses":"//addresses/","_dbs":"//dbs/")");
  body.append(R"(,"writableLocations":)").append(locations).append(R"(,"readableLocations":)").append(locations);
  body.append(R"(,"enableMultipleWriteLocations":false,"continuousBackupEnabled":false)");
  body.append(R"(,"enablePerPartitionFailoverBehavior":false)");
  body.append(R"(,"userReplicationPolicy":{"asyncReplication":false,"minReplicaSetSize":1,"maxReplicasetSize":1})");
  body.append(R"(,"userConsistencyPolicy":{"defaultConsistencyLevel":")");
  body.append(ConsistencyName(call->context().consistency)).append(R"("})");
  body.append(R"(,"systemReplicationPolicy":{"minReplicaSetSize":1,"maxReplicasetSize":1})");
  body.append(R"(,"readPolicy":{"primaryReadCoefficient":1,"secondaryReadCoefficient":1})");
  body.append(R"(,"queryEngineConfiguration":)");
  doc::StringToJson(kQueryEngineConfiguration, &body);
  body.push_back('}');
  call->Send(200, 0);
}

}  // namespace lapse::api::cosmos
