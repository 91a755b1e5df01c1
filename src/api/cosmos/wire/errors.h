// How an error looks on the wire: the one table from the project's codes to HTTP status, sub-status and code name.
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
constexpr int kSubStatusRangeGone = 1002;  // with 410: the client reads the ranges anew
constexpr int kSubStatusCrossPartition = 1004;
constexpr int kSubStatusOtherContainer = 1024;  // the client reads the container anew
constexpr int kSubStatusPartitionKeyFull = 1014;
constexpr int kSubStatusTooManyResources = 1019;
constexpr int kSubStatusRateLimited = 3200;
constexpr int kSubStatusAnswerTooLarge = 3402;  // with 413: send the operation again in a smaller batch

// How long a client shall wait before it tries again what was answered with 503.
constexpr int64_t kRetryAfter_ms = 1000;

ApiError FromStatus(const Status& status);

// The database or container that a request goes through is not there.
ApiError OwnerNotFound();
// The same by what looking for it came to: it may also be that nobody can say.
ApiError OwnerMissing(const Status& found);
// A route that the API does not have, and a verb that a route does not have.
ApiError UnknownRoute();
ApiError MethodNotAllowed();
// To a client that asks where the replicas are, to talk to them itself. Not 404 or 410: it would ask again and again.
ApiError NoDirectMode();
// A partition key range that does not exist (any more): one that the request names by its id, or keys that none holds.
ApiError RangeUnknown(std::string_view range, std::string_view container);
ApiError RangeGone();
// A request that one partition must serve, and whose scope lies in several.
ApiError SeveralPartitions();

// A message in the form of the service's storage, which has another one than its gateway: `Message:
// {"Errors":["..."]}`.
std::string StorageMessage(std::string_view text);

// `{"code":"...","message":"..."}`; what is too large is refused in the form of the storage. The message ends with the
// name under which the request can be found again.
void AppendErrorBody(const ApiError& error, std::string_view activity_id, std::string* body);

}  // namespace lapse::api::cosmos
