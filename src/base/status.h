// The project's only error type.
//
// A closed set of codes. Each API maps them to its own numbers in one table file. Not-found is a code, never an empty
// value. An unknown outcome (a write that may or may not have happened) has a code of its own.
#pragma once

#include <cassert>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lapse {

enum class Code {
  kOk,
  kInvalidArgument,       // the request is wrong, and a retry will not help
  kPartitionKeyMismatch,  // the key in the request is not the key in the document
  kUnauthenticated,       // the caller did not prove its identity
  kForbidden,             // the caller is known but not allowed
  kNotFound,              //
  kOtherContainer,        // the container of this name is not the one the caller means
  kSessionNotAvailable,   // the caller has seen a later state than this server holds
  kAlreadyExists,         //
  kUniqueKeyTaken,        // another item has the same values for a unique key
  kPartitionKeyFull,      // the logical partition has reached its maximum size
  kPreconditionFailed,    // an etag condition did not hold
  kNotModified,           // a conditional read found what the caller already has
  kTooLarge,              //
  kThrottled,             // over the provisioned throughput
  kNoLongerKept,          // existed once, but its retention has ended
  kNoSpace,               // the disk is full: reads succeed, writes are refused
  kUnavailable,           // starting, stopping, or the store refuses work for now
  kWouldBlock,            // an answer would need a wait that the caller did not allow; never sent to a client
  kUnknownOutcome,        // the write may or may not be durable
  kCorruption,            // bytes on disk are not what was written
  kUnsupported,           // understood, but not implemented
  kInternal,              // a bug of ours
};

std::string_view CodeName(Code code);

// A code and, for an error, a message for people. A Status is one pointer, because nearly all are ok. The compiler
// moves the code that makes errors out of the hot path.
class [[nodiscard]] Status {
 public:
  Status() = default;
  [[gnu::cold]] Status(Code code, std::string message);
  Status(const Status& other) : error_(other.ok() ? nullptr : Copy(*other.error_)) {}
  Status& operator=(const Status& other) {
    if (this != &other) error_ = other.ok() ? nullptr : Copy(*other.error_);
    return *this;
  }
  Status(Status&&) noexcept = default;
  Status& operator=(Status&&) noexcept = default;
  ~Status() = default;

  static Status Ok() { return {}; }

  bool ok() const { return error_ == nullptr; }
  Code code() const { return ok() ? Code::kOk : error_->code; }
  const std::string& message() const;  // empty when it is ok
  std::string ToString() const;

 private:
  struct Error {
    Code code;
    std::string message;
  };
  [[gnu::cold]] static std::unique_ptr<const Error> Copy(const Error& error);

  std::unique_ptr<const Error> error_;  // null: ok
};

// A value, or the Status that says why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}                                  // NOLINT(google-explicit-constructor)
  Result(Status status) : status_(std::move(status)) { assert(!status_.ok()); }  // NOLINT(google-explicit-constructor)

  bool ok() const { return value_.has_value(); }
  const Status& status() const& { return status_; }
  Status status() && { return std::move(status_); }

  T& operator*() & { return *value_; }
  const T& operator*() const& { return *value_; }
  T&& operator*() && { return *std::move(value_); }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  Status status_;
  std::optional<T> value_;
};

}  // namespace lapse

#define LAPSE_CONCAT_INNER(a, b) a##b
#define LAPSE_CONCAT(a, b) LAPSE_CONCAT_INNER(a, b)

// Returns the error to the caller, if there is one.
#define LAPSE_RETURN_IF_ERROR(expr)                                                 \
  do {                                                                              \
    if (::lapse::Status lapse_status_ = (expr); !lapse_status_.ok()) [[unlikely]] { \
      return lapse_status_;                                                         \
    }                                                                               \
  } while (false)

// `LAPSE_ASSIGN_OR_RETURN(auto value, Compute())` declares the value, or returns the error to the caller.
#define LAPSE_ASSIGN_OR_RETURN(decl, expr) \
  LAPSE_ASSIGN_OR_RETURN_INNER(LAPSE_CONCAT(lapse_result_, __LINE__), decl, expr)
#define LAPSE_ASSIGN_OR_RETURN_INNER(result, decl, expr) \
  auto result = (expr);                                  \
  if (!result.ok()) [[unlikely]] {                       \
    return std::move(result).status();                   \
  }                                                      \
  decl = *std::move(result)
