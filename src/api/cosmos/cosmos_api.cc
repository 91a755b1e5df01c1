#include "api/cosmos/cosmos_api.h"

#include <optional>
#include <string>
#include <utility>

#include "api/cosmos/handlers.h"
#include "api/cosmos/wire/activity_id.h"
#include "api/cosmos/wire/call.h"
#include "api/cosmos/wire/operation.h"
#include "base/ascii.h"

namespace lapse::api::cosmos {
namespace {

// A header's name is quoted up to this length in an error.
constexpr size_t kQuotedNameBytesMax = 100;

// Headers that have one value, and decide something. (Framing refuses those that are its own, such as Host.)
bool HasOneValue(std::string_view name) {
  constexpr std::string_view kPrefix = "x-ms-";
  if (EqualsIgnoreCase(name.substr(0, kPrefix.size()), kPrefix)) return true;
  for (std::string_view one :
       {"a-im", "authorization", "content-type", "date", "if-match", "if-modified-since", "if-none-match", "prefer"}) {
    if (EqualsIgnoreCase(name, one)) return true;
  }
  return false;
}

// Taking the first of two would let what stands between us and the client, which takes the last, see another request.
Status RefuseRepeatedHeaders(const net::Request& request) {
  std::string_view name = request.RepeatedHeader(HasOneValue);
  if (name.empty()) return Status::Ok();
  return Status(Code::kInvalidArgument, "The header '" + std::string(name.substr(0, kQuotedNameBytesMax)) +
                                            "' is given more than once. It must have one value.");
}

// A request may ask for less than the account's Session consistency, not for more.
Status CheckConsistency(std::string_view level) {
  if (level.empty() || level == "Session" || level == "ConsistentPrefix" || level == "Eventual") return Status::Ok();
  if (level == "Strong" || level == "BoundedStaleness") {
    return Status(Code::kInvalidArgument, "ConsistencyLevel " + std::string(level) +
                                              " specified in the request is invalid when service is configured with "
                                              "consistency level Session. Ensure the request consistency level is not "
                                              "stronger than the service consistency level.");
  }
  return Status(Code::kInvalidArgument, "The value of x-ms-consistency-level is not a consistency level.");
}

Result<Access> Authorize(const ApiContext& context, const net::Request& request, const Route& route,
                         Operation operation) {
  SignedParts parts{request.method, route.resource_type(), route.resource_link()};
  LAPSE_ASSIGN_OR_RETURN(
      Access access, context.authenticator.Check(parts, request.Header("authorization"), request.Header("x-ms-date"),
                                                 request.Header("date"), context.wall->NowMs()));
  // Whether a batch only reads is known when its body is.
  if (access == Access::kReadOnly && operation != Operation::kBatch && !OnlyReads(operation, request)) {
    return NeedsAccountKey();
  }
  return access;
}

// What the head of a request alone says against it; nothing when it may go on, with this access.
std::optional<ApiError> JudgeHead(const ApiContext& context, const net::Request& head, const Route& route,
                                  Operation operation, Access* access) {
  if (route.kind() == RouteKind::kUnknown) return UnknownRoute();
  if (Status status = RefuseRepeatedHeaders(head); !status.ok()) return FromStatus(status);
  if (Status status = context.hosts.Check(head.Header("host")); !status.ok()) return FromStatus(status);
  Result<Access> allowed = Authorize(context, head, route, operation);
  if (!allowed.ok()) return FromStatus(allowed.status());
  *access = *allowed;
  Status status = CheckConsistency(head.Header("x-ms-consistency-level"));
  if (!status.ok()) return FromStatus(status);
  return std::nullopt;
}

void NotSupported(CallPtr call, std::string_view what) {
  call->Fail(Status(Code::kUnsupported, std::string(what) + " is not supported yet."));
}

void DispatchDatabases(CallPtr call) {
  std::string_view method = call->request().method;
  if (method == "GET") return ListDatabases(std::move(call));
  if (method != "POST") return call->Fail(MethodNotAllowed());
  if (IsQueryPlan(call->request())) return PlanQuery(std::move(call));
  if (IsQuery(call->request())) return QueryDatabases(std::move(call));
  RunChange(std::move(call), CreateDatabase);
}

void DispatchDatabase(CallPtr call) {
  std::string_view method = call->request().method;
  if (method == "GET") return ReadDatabase(std::move(call));
  if (method == "DELETE") return RunChange(std::move(call), DeleteDatabase);
  call->Fail(MethodNotAllowed());
}

void DispatchContainers(CallPtr call) {
  std::string_view method = call->request().method;
  if (method == "GET") return ListContainers(std::move(call));
  if (method != "POST") return call->Fail(MethodNotAllowed());
  if (IsQueryPlan(call->request())) return PlanQuery(std::move(call));
  if (IsQuery(call->request())) return QueryContainers(std::move(call));
  RunChange(std::move(call), CreateContainer);
}

void DispatchContainer(CallPtr call) {
  std::string_view method = call->request().method;
  // Counting items may read the disk.
  const bool counts = HeaderIsTrue(call->request(), "x-ms-documentdb-populatequotainfo");
  if (method == "GET" && counts) return RunBlocking(std::move(call), ReadContainer);
  if (method == "GET") return ReadContainer(std::move(call));
  if (method == "PUT") return RunChange(std::move(call), ReplaceContainer);
  if (method == "DELETE") return RunChange(std::move(call), DeleteContainer);
  call->Fail(MethodNotAllowed());
}

void DispatchItems(CallPtr call) {
  const Operation operation = call->operation();
  if (operation == Operation::kChangeFeed) return RunBlocking(std::move(call), ReadChangeFeed);
  if (operation == Operation::kFeed) return RunBlocking(std::move(call), ReadItemFeed);
  if (operation == Operation::kQuery && IsQueryPlan(call->request())) return PlanQuery(std::move(call));
  if (operation == Operation::kQuery) return RunBlocking(std::move(call), QueryItems);
  if (operation == Operation::kCreate || operation == Operation::kUpsert) return CreateItem(std::move(call));
  if (operation == Operation::kBatch) return RunBatch(std::move(call));
  call->Fail(MethodNotAllowed());
}

void DispatchItem(CallPtr call) {
  const Operation operation = call->operation();
  if (operation == Operation::kRead) return ReadItem(std::move(call));
  if (operation == Operation::kReplace) return ReplaceItem(std::move(call));
  if (operation == Operation::kDelete) return DeleteItem(std::move(call));
  if (operation == Operation::kPatch) return PatchItem(std::move(call));
  call->Fail(MethodNotAllowed());
}

void DispatchOffers(CallPtr call) {
  std::string_view method = call->request().method;
  if (method == "GET") return ListOffers(std::move(call));
  if (method == "POST" && IsQuery(call->request())) return QueryOffers(std::move(call));
  call->Fail(MethodNotAllowed());
}

void DispatchOffer(CallPtr call) {
  std::string_view method = call->request().method;
  if (method == "GET") return ReadOffer(std::move(call));
  if (method == "PUT") return RunChange(std::move(call), ReplaceOffer);
  call->Fail(MethodNotAllowed());
}

void DispatchReadOnlyResource(CallPtr call, void (*read)(CallPtr)) {
  if (call->request().method != "GET") return call->Fail(MethodNotAllowed());
  read(std::move(call));
}

void Dispatch(CallPtr call) {
  switch (call->route().kind()) {
    case RouteKind::kUnknown: return call->Fail(UnknownRoute());
    case RouteKind::kAccount: return DispatchReadOnlyResource(std::move(call), ReadAccount);
    case RouteKind::kDatabases: return DispatchDatabases(std::move(call));
    case RouteKind::kDatabase: return DispatchDatabase(std::move(call));
    case RouteKind::kContainers: return DispatchContainers(std::move(call));
    case RouteKind::kContainer: return DispatchContainer(std::move(call));
    case RouteKind::kPartitionKeyRanges: return DispatchReadOnlyResource(std::move(call), ListPartitionKeyRanges);
    case RouteKind::kItems: return DispatchItems(std::move(call));
    case RouteKind::kItem: return DispatchItem(std::move(call));
    case RouteKind::kOffers: return DispatchOffers(std::move(call));
    case RouteKind::kOffer: return DispatchOffer(std::move(call));
    case RouteKind::kUnsupported: {
      std::string_view operation = call->route().operation();
      std::string what = operation.empty() ? "The resource type '" + std::string(call->route().resource_type()) + "'"
                                           : "The operation '" + std::string(operation) + "'";
      return NotSupported(std::move(call), what);
    }
  }
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

// The code names of the answers that the framing layer gives.
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

CosmosApi::CosmosApi(std::unique_ptr<const ApiContext> context) : context_(std::move(context)) {}
CosmosApi::~CosmosApi() = default;

Result<std::unique_ptr<CosmosApi>> CosmosApi::Create(const CosmosOptions& options) {
  LAPSE_ASSIGN_OR_RETURN(Authenticator authenticator,
                         Authenticator::Create(options.account_key, options.read_only_key));
  auto context = std::make_unique<const ApiContext>(ApiContext{
      options.engine, options.blocking, options.turning, options.changing, std::move(authenticator), options.hosts,
      options.wall, MakeCounters(options.metrics), options.steady, MakeOperationTimes(options.metrics)});
  return std::unique_ptr<CosmosApi>(new CosmosApi(std::move(context)));
}

bool CosmosApi::Admit(const net::Request& head, net::Response& refusal) {
  Route route;
  route.Parse(head.path);
  Access access = Access::kReadOnly;
  std::optional<ApiError> error = JudgeHead(*context_, head, route, OperationOf(route.kind(), head), &access);
  if (!error) return true;
  Call(context_.get(), &head, net::Responder::Into(&refusal)).Fail(*error);
  return false;
}

void CosmosApi::Handle(const net::Request& request, net::Responder responder) {
  auto call = std::make_shared<Call>(context_.get(), &request, std::move(responder));
  const Operation operation = call->operation();
  Access access = Access::kReadOnly;
  std::optional<ApiError> error = JudgeHead(*context_, request, call->route(), operation, &access);
  if (error) return call->Fail(*error);
  call->set_may_write(access != Access::kReadOnly);
  call->response().set_safe(OnlyReads(operation, request));
  Dispatch(std::move(call));
}

void CosmosApi::MakeFramingError(int status, std::string_view reason, net::Response& response) {
  std::string activity_id;
  AppendActivityId({}, &activity_id);
  response.AddHeader("x-ms-activity-id", activity_id);
  response.AddHeader("x-ms-request-charge", "0");
  if (status == 503) response.AddHeader("x-ms-retry-after-ms", kRetryAfter_ms);
  response.AddHeader("content-type", "application/json");
  AppendErrorBody({status, 0, FramingCodeName(status), std::string(reason)}, &response.body());
}

}  // namespace lapse::api::cosmos
