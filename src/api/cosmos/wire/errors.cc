#include "api/cosmos/wire/errors.h"

#include "base/log.h"
#include "doc/json.h"

namespace lapse::api::cosmos {
namespace {

struct Mapped {
  int status;
  int substatus;
  std::string_view name;
};

Mapped Map(Code code) {
  switch (code) {
    case Code::kOk: return {200, 0, ""};
    case Code::kInvalidArgument: return {400, 0, "BadRequest"};
    case Code::kPartitionKeyMismatch: return {400, kSubStatusPartitionKeyMismatch, "BadRequest"};
    case Code::kUnauthenticated: return {401, 0, "Unauthorized"};
    case Code::kForbidden: return {403, 0, "Forbidden"};
    case Code::kNotFound: return {404, 0, "NotFound"};
    case Code::kOtherContainer: return {400, kSubStatusOtherContainer, "BadRequest"};
    case Code::kSessionNotAvailable: return {404, kSubStatusSessionNotAvailable, "NotFound"};
    case Code::kAlreadyExists: return {409, 0, "Conflict"};
    case Code::kUniqueKeyTaken: return {409, 0, "Conflict"};
    case Code::kPartitionKeyFull: return {403, kSubStatusPartitionKeyFull, "Forbidden"};
    case Code::kPreconditionFailed: return {412, 0, "PreconditionFailed"};
    case Code::kNotModified: return {304, 0, "NotModified"};
    case Code::kTooLarge: return {413, 0, "RequestEntityTooLarge"};
    case Code::kThrottled: return {429, kSubStatusRateLimited, "TooManyRequests"};
    case Code::kNoLongerKept: return {400, 0, "BadRequest"};
    case Code::kNoSpace: return {503, 0, "ServiceUnavailable"};
    case Code::kUnavailable: return {503, 0, "ServiceUnavailable"};
    case Code::kWouldBlock: return {503, 0, "ServiceUnavailable"};
    // Not 503: clients would retry the write, which may have happened.
    case Code::kUnknownOutcome: return {500, 0, "InternalServerError"};
    case Code::kCorruption: return {500, 0, "InternalServerError"};
    case Code::kUnsupported: return {400, 0, "BadRequest"};
    case Code::kInternal: return {500, 0, "InternalServerError"};
  }
  return {500, 0, "InternalServerError"};
}

// The API's text where the engine has none, or uses its own words.
std::string_view FixedText(Code code) {
  switch (code) {
    case Code::kAlreadyExists:
    case Code::kUniqueKeyTaken: return "Resource with specified id, name, or unique index already exists.";
    case Code::kNotFound: return "Resource Not Found. Learn more: https://aka.ms/cosmosdb-tsg-not-found";
    case Code::kPreconditionFailed:
      return "One of the specified pre-condition is not met. Learn more: "
             "https://aka.ms/CosmosDB/sql/errors/precondition-failed";
    case Code::kThrottled:
      return "Request rate is large. More Request Units may be needed, so no changes were made. Please retry this "
             "request later.";
    case Code::kNoSpace: return "The server's disk is full. Reads go on; writes are taken again when there is room.";
    case Code::kUnavailable: return "The server does not take this request now; /_lapse/health says why.";
    case Code::kUnknownOutcome: return "The outcome of the write is unknown: read the item before trying again.";
    case Code::kCorruption: return "The server's data is damaged where this request needs it.";
    case Code::kInternal: return "The server failed.";
    default: return {};
  }
}

}  // namespace

ApiError FromStatus(const Status& status) {
  Mapped mapped = Map(status.code());
  // The details of an internal failure, including paths, go to the log rather than the client.
  if (mapped.status == 500) Log(LogLevel::kWarn, "request failed", {{"error", status.ToString()}});
  std::string_view fixed = FixedText(status.code());
  return {mapped.status, mapped.substatus, mapped.name, fixed.empty() ? status.message() : std::string(fixed)};
}

ApiError OwnerNotFound() {
  return {404, kSubStatusOwnerNotFound, "NotFound", "Resource Not Found. Owner resource does not exist."};
}

ApiError OwnerMissing(const Status& found) {
  return found.code() == Code::kNotFound ? OwnerNotFound() : FromStatus(found);
}

ApiError UnknownRoute() {
  return {404, 0, "NotFound", "Resource Not Found. The request path is not known."};
}

ApiError NoDirectMode() {
  return {400, 0, "BadRequest",
          "This server has no direct mode. Choose gateway mode: ConnectionMode.Gateway (.NET), gatewayMode() (Java)."};
}

ApiError MethodNotAllowed() {
  return {405, 0, "MethodNotAllowed", "The requested verb is not supported on this resource."};
}

std::string StorageMessage(std::string_view text) {
  std::string message = R"(Message: {"Errors":[)";
  doc::StringToJson(text, &message);
  return message.append("]}");
}

ApiError RangeUnknown(std::string_view range, std::string_view container) {
  ApiError error = RangeGone();
  error.message = "PartitionKeyRange with id '";
  error.message.append(range).append("' in collection '").append(container).append("' doesn't exist.");
  return error;
}

ApiError RangeGone() {
  return {410, kSubStatusRangeGone, "Gone", "The requested partition key range is not available any more."};
}

ApiError SeveralPartitions() {
  return {400, kSubStatusCrossPartition, "BadRequest",
          "The request spans several partitions and must be served by one. Ensure to name a partition key range with "
          "x-ms-documentdb-partitionkeyrangeid, or a partition key."};
}

void AppendErrorBody(const ApiError& error, std::string_view activity_id, std::string* body) {
  std::string message = error.status == 413 ? StorageMessage(error.message) : error.message;
  message.append("\r\nActivityId: ").append(activity_id);
  body->append(R"({"code":")").append(error.name).append(R"(","message":)");
  doc::StringToJson(message, body);
  body->push_back('}');
}

}  // namespace lapse::api::cosmos
