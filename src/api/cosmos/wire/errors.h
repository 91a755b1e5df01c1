// Errors on the wire: the one table from the project's codes to HTTP status, sub-status and code name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace lapse::api::cosmos {

struct ApiError {
  int status = 500;
  int substatus = 0;      // 0: none
  std::string_view name;  // the `code` of the body
  std::string message;
};

// The sub-statuses that clients act on.
constexpr int kSubStatusPartitionKeyMismatch = 1001;
constexpr int kSubStatusSessionNotAvailable = 1002;  // with 404
constexpr int kSubStatusOwnerNotFound = 1003;
constexpr int kSubStatusRangeGone = 1002;  // with 410: the client reloads the ranges
constexpr int kSubStatusCrossPartition = 1004;
constexpr int kSubStatusOtherContainer = 1024;  // the client reloads the container
constexpr int kSubStatusPartitionKeyFull = 1014;
constexpr int kSubStatusTooManyResources = 1019;
constexpr int kSubStatusRateLimited = 3200;
constexpr int kSubStatusAnswerTooLarge = 3402;  // with 413: the client retries the operation in a smaller batch

// How long a client should wait before it retries a request that got 503.
constexpr int64_t kRetryAfter_ms = 1000;

ApiError FromStatus(const Status& status);

// The error if the database or container on a request's path does not exist.
ApiError OwnerNotFound();
// The same, given the result of the lookup, which may also be that the existence is unknown.
ApiError OwnerMissing(const Status& found);
// The errors for an unknown route, and for a verb that a route does not have.
ApiError UnknownRoute();
ApiError MethodNotAllowed();
// The error for a client that asks for the addresses of replicas, to talk to them directly. It is neither 404 nor 410,
// because the client would retry endlessly.
ApiError NoDirectMode();
// The error for a partition key range that does not exist (any more): the request names it by id, or names keys that no
// range holds.
ApiError RangeUnknown(std::string_view range, std::string_view container);
ApiError RangeGone();
// The error for a request that one partition must serve, if its scope spans several.
ApiError SeveralPartitions();

// Returns a message in the form of the service's storage, which differs from that of its gateway: `Message:
// {"Errors":["..."]}`.
std::string StorageMessage(std::string_view text);

// `{"code":"...","message":"..."}`. A request that is too large is refused in the form of the storage. The message ends
// with the id that identifies the request in logs.
void AppendErrorBody(const ApiError& error, std::string_view activity_id, std::string* body);

}  // namespace lapse::api::cosmos
