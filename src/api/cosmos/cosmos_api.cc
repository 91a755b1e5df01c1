#include "api/cosmos/cosmos_api.h"

#include <optional>
#include <string>
#include <utility>

#include "api/cosmos/auth/token_decision.h"
#include "api/cosmos/routes/route_table.h"
#include "api/cosmos/wire/activity_id.h"
#include "api/cosmos/wire/call.h"
#include "api/cosmos/wire/credentials/authorization_header.h"
#include "api/cosmos/wire/lookup.h"
#include "base/ascii.h"
#include "base/log.h"

namespace lapse::api::cosmos {
namespace {

// An error quotes a header's name up to this length.
constexpr size_t kQuotedNameBytesMax = 100;

// Unfinished pages may use this fraction of the memory of all queries.
constexpr size_t kScanStatesShare = 8;

// Headers that have a single value and decide something. (The framing layer refuses duplicates of its own headers, such
// as Host.)
bool HasOneValue(std::string_view name) {
  constexpr std::string_view kPrefix = "x-ms-";
  if (EqualsIgnoreCase(name.substr(0, kPrefix.size()), kPrefix)) return true;
  for (std::string_view one :
       {"a-im", "authorization", "content-type", "date", "if-match", "if-modified-since", "if-none-match", "prefer"}) {
    if (EqualsIgnoreCase(name, one)) return true;
  }
  return false;
}

// A proxy between the client and us may use the last of two headers. If we used the first, we would see another request
// than the proxy.
Status RefuseRepeatedHeaders(const net::Request& request) {
  std::string_view name = request.RepeatedHeader(HasOneValue);
  if (name.empty()) return Status::Ok();
  return Status(Code::kInvalidArgument, "The header '" + std::string(name.substr(0, kQuotedNameBytesMax)) +
                                            "' is given more than once. It must have one value.");
}

Status NeedsReadWriteKey() {
  return Status(Code::kUnauthenticated,
                "The input authorization token can't serve the request. The given key gives read-only access; this "
                "request needs a read-write key.");
}

// Whether the client may do what the row says; null: nothing will be done.
Result<Allowance> Authorize(const ApiContext& context, const Credentials& credentials, const net::Request& request,
                            const Route& route, const RouteRow* row) {
  AuthorizationHeader header;
  LAPSE_RETURN_IF_ERROR(header.Parse(request.Header("authorization")));
  const int64_t now_ms = context.wall->NowMs();
  if (header.type() == AuthorizationHeader::Type::kResourceToken) {
    return DecideForToken(*context.tokens, header.proof(), row, route, request, context.engine->catalog(), now_ms);
  }
  const auto check = [&](std::string_view resource_type) {
    return credentials.authenticator.CheckSignature({request.method, resource_type, route.resource_link()},
                                                    header.proof(), request.Header("x-ms-date"), request.Header("date"),
                                                    now_ms);
  };
  Result<Access> checked = check(route.resource_type());
  if (!checked.ok() && route.kind() == RouteKind::kKeyDeletion) {
    // Some clients sign it as an operation on the key rather than on the container.
    Result<Access> on_key = check("partitionkey");
    if (on_key.ok()) checked = std::move(on_key);
  }
  LAPSE_ASSIGN_OR_RETURN(const Access access, std::move(checked));
  if (access != Access::kReadOnly || row == nullptr) return Allowance();
  if (row->effect == Effect::kWrites || row->subject == Subject::kReadWriteAlone) return NeedsReadWriteKey();
  return Allowance{std::nullopt, row->effect == Effect::kInBody ? NeedsReadWriteKey() : Status::Ok()};
}

// The terms on which an accepted request continues.
struct Terms {
  Allowance allowed;
  Consistency consistency = Consistency::kSession;
};

// Returns an error that the head of a request alone gives rise to, or nothing if it may continue on these terms.
std::optional<ApiError> JudgeHead(const ApiContext& context, const net::Request& head, const Route& route,
                                  const RouteRow* row, Terms* terms) {
  if (route.kind() == RouteKind::kUnknown) return IsAddressesPath(head.path) ? NoDirectMode() : UnknownRoute();
  if (Status status = RefuseRepeatedHeaders(head); !status.ok()) return FromStatus(status);
  const Credentials& credentials = context.credentials.get();
  if (Status status = credentials.hosts.Check(head.Header("host")); !status.ok()) return FromStatus(status);
  Result<Allowance> allowed = Authorize(context, credentials, head, route, row);
  if (!allowed.ok()) return FromStatus(allowed.status());
  terms->allowed = *std::move(allowed);
  Result<Consistency> level = ConsistencyOf(head, context.consistency);
  if (!level.ok()) return FromStatus(level.status());
  terms->consistency = *level;
  return std::nullopt;
}

Status Unbuilt(const Route& route) {
  return {Code::kUnsupported, "The resource type '" + std::string(route.resource_type()) + "' is not supported yet."};
}

void Dispatch(CallPtr call, const RouteRow* row) {
  if (row == nullptr) return call->Fail(MethodNotAllowed());
  if (row->handle == nullptr) return call->Fail(Unbuilt(call->route()));
  if (row->runs == Runs::kWhereItMayBlock) return RunBlocking(std::move(call), row->handle);
  if (row->runs == Runs::kAsAQuery) return RunQuery(std::move(call), row->handle);
  if (row->runs == Runs::kAsAChange) return RunChange(std::move(call), row->handle);
  row->handle(std::move(call));
}

// The server still serves if the store cannot take a secret now. Tokens are then invalid after a restart.
Result<std::string> SecretOf(engine::CatalogStore* catalog) {
  LAPSE_ASSIGN_OR_RETURN(std::string proposed, TokenSigner::MakeSecret());
  Result<std::string> kept = catalog->KeepSecret(proposed);
  if (kept.ok()) return kept;
  Log(LogLevel::kWarn, "resource tokens end with this process: their secret could not be stored",
      {{"error", kept.status().ToString()}});
  return proposed;
}

std::array<Counter*, 6> MakeCounters(MetricsRegistry* metrics) {
  std::array<Counter*, 6> counters{};
  if (metrics == nullptr) return counters;
  for (size_t digit = 2; digit < counters.size(); ++digit) {
    std::string labels = "status=\"" + std::to_string(digit) + "xx\"";
    counters[digit] = &metrics->AddCounter("lapse_cosmos_requests_total", "Cosmos REST requests answered", labels);
  }
  return counters;
}

// Returns the code names of responses from the framing layer.
std::string_view FramingCodeName(int status) {
  switch (status) {
    case 408: return "RequestTimeout";
    case 413: return "RequestEntityTooLarge";
    case 431: return "RequestHeaderFieldsTooLarge";
    case 503: return "ServiceUnavailable";
    default: return status < 500 ? "BadRequest" : "InternalServerError";
  }
}

}  // namespace

CosmosApi::CosmosApi(std::unique_ptr<ApiContext> context) : context_(std::move(context)) {}
CosmosApi::~CosmosApi() = default;

Result<std::unique_ptr<CosmosApi>> CosmosApi::Create(const CosmosOptions& options) {
  LAPSE_ASSIGN_OR_RETURN(Authenticator authenticator, Authenticator::Create(options.keys));
  LAPSE_ASSIGN_OR_RETURN(const std::string secret, SecretOf(&options.engine->catalog_store()));
  std::unique_ptr<ApiContext> context(
      new ApiContext{.engine = options.engine,
                     .blocking = options.blocking,
                     .turning = options.turning,
                     .changing = options.changing,
                     .credentials = Published<Credentials>({std::move(authenticator), options.hosts}),
                     .wall = options.wall,
                     .answers = MakeCounters(options.metrics),
                     .steady = options.steady,
                     .times = MakeOperationTimes(options.metrics),
                     .tokens = std::make_unique<const TokenSigner>(secret),
                     .consistency = options.consistency,
                     .limits = options.limits,
                     .querying = options.querying,
                     .use_indexes = options.use_indexes,
                     .query_helpers = options.query_helpers,
                     .query_thresholds = options.query_thresholds,
                     .query_memory = std::make_unique<query::MemoryPool>(options.query_memory_bytes_max)});
  context->scan_states = std::make_unique<query::exec::ScanStateCache>(
      options.query_memory_bytes_max / kScanStatesShare, context->query_memory.get());
  return std::unique_ptr<CosmosApi>(new CosmosApi(std::move(context)));
}

Status CosmosApi::ReplaceKeys(const AccountKeys& keys, HostNames hosts) {
  LAPSE_ASSIGN_OR_RETURN(Authenticator authenticator, Authenticator::Create(keys));
  context_->credentials.Publish({std::move(authenticator), std::move(hosts)});
  return Status::Ok();
}

bool CosmosApi::TakeQueryCalm() {
  return context_->query_memory->TakeCalm();
}

Result<Access> CosmosApi::CheckSignature(const net::Request& request, const SignedParts& parts) const {
  AuthorizationHeader header;
  LAPSE_RETURN_IF_ERROR(header.Parse(request.Header("authorization")));
  if (header.type() == AuthorizationHeader::Type::kResourceToken) {
    return Status(Code::kUnauthenticated, "A resource token gives access to items alone; this request needs a key.");
  }
  const Credentials& credentials = context_->credentials.get();
  return credentials.authenticator.CheckSignature(parts, header.proof(), request.Header("x-ms-date"),
                                                  request.Header("date"), context_->wall->NowMs());
}

Status CosmosApi::CheckHost(std::string_view host) const {
  return context_->credentials.get().hosts.Check(host);
}

RequestFigures CosmosApi::Figures() const {
  RequestFigures figures;
  for (size_t digit = 0; digit < figures.answered.size(); ++digit) {
    if (context_->answers[digit] != nullptr) figures.answered[digit] = context_->answers[digit]->value();
  }
  for (size_t i = 0; i < kOperations; ++i) {
    OperationFigures& of = figures.operations.emplace_back();
    of.name = OperationName(static_cast<Operation>(i));
    if (context_->times[i] != nullptr) of.times = context_->times[i]->Read();
  }
  return figures;
}

bool CosmosApi::Admit(const net::Request& head, net::Response& refusal) {
  Route route;
  ReadRoute(head, context_->engine, &route);
  const RouteRow* row = FindRow(route.kind(), FormOf(route.kind(), head));
  Terms terms;
  std::optional<ApiError> error = JudgeHead(*context_, head, route, row, &terms);
  if (!error) return true;
  Call(context_.get(), &head, net::Responder::Into(&refusal)).Fail(*error);
  return false;
}

void CosmosApi::Handle(const net::Request& request, net::Responder responder) {
  auto call = std::make_shared<Call>(context_.get(), &request, std::move(responder));
  const RouteRow* row = FindRow(call->route().kind(), FormOf(call->route().kind(), request));
  Terms terms;
  std::optional<ApiError> error = JudgeHead(*context_, request, call->route(), row, &terms);
  if (error) return call->Fail(*error);
  const bool reads = row != nullptr && row->effect == Effect::kReads;
  call->BindTo(terms.allowed.bound);
  call->set_may_write(std::move(terms.allowed.may_write));
  call->response().set_safe(reads);
  if (reads && ReadsCostDouble(terms.consistency)) call->meter().ChargeTimes(2);
  Dispatch(std::move(call), row);
}

void CosmosApi::MakeFramingError(int status, std::string_view reason, net::Response& response) {
  std::string activity_id;
  AppendActivityId({}, &activity_id);
  response.AddHeader("x-ms-activity-id", activity_id);
  response.AddHeader("x-ms-request-charge", "0");
  if (status == 503) response.AddHeader("x-ms-retry-after-ms", kRetryAfter_ms);
  response.AddHeader("content-type", "application/json");
  AppendErrorBody({status, 0, FramingCodeName(status), std::string(reason)}, activity_id, &response.body());
}

}  // namespace lapse::api::cosmos
