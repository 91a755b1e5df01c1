#include "base/status.h"

namespace lapse {

std::string_view CodeName(Code code) {
  switch (code) {
    case Code::kOk: return "ok";
    case Code::kInvalidArgument: return "invalid argument";
    case Code::kPartitionKeyMismatch: return "partition key mismatch";
    case Code::kUnauthenticated: return "unauthenticated";
    case Code::kForbidden: return "forbidden";
    case Code::kNotFound: return "not found";
    case Code::kOtherContainer: return "other container";
    case Code::kSessionNotAvailable: return "session not available";
    case Code::kAlreadyExists: return "already exists";
    case Code::kUniqueKeyTaken: return "unique key taken";
    case Code::kPartitionKeyFull: return "partition key full";
    case Code::kPreconditionFailed: return "precondition failed";
    case Code::kNotModified: return "not modified";
    case Code::kTooLarge: return "too large";
    case Code::kThrottled: return "throttled";
    case Code::kNoLongerKept: return "no longer kept";
    case Code::kNoSpace: return "no space";
    case Code::kUnavailable: return "unavailable";
    case Code::kWouldBlock: return "would block";
    case Code::kUnknownOutcome: return "unknown outcome";
    case Code::kCorruption: return "corruption";
    case Code::kUnsupported: return "unsupported";
    case Code::kInternal: return "internal";
  }
  return "?";
}

Status::Status(Code code, std::string message) {
  if (code != Code::kOk) error_ = std::make_unique<const Error>(Error{code, std::move(message)});
}

std::unique_ptr<const Status::Error> Status::Copy(const Error& error) {
  return std::make_unique<const Error>(error);
}

const std::string& Status::message() const {
  static const std::string kNone;
  return ok() ? kNone : error_->message;
}

std::string Status::ToString() const {
  std::string text(CodeName(code()));
  if (!message().empty()) text.append(": ").append(message());
  return text;
}

}  // namespace lapse
