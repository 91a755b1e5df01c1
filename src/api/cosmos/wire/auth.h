// Who asks: checks the signature that every request carries.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/status.h"

namespace lapse::api::cosmos {

// What a signature is made over.
struct SignedParts {
  std::string_view verb;           // "GET"
  std::string_view resource_type;  // "docs"; empty for the account
  std::string_view resource_link;  // decoded, case kept, without a leading slash
};

enum class Access : uint8_t { kFull, kReadOnly };

// A client's clock may differ from ours by this much.
constexpr int64_t kDateSkewMaxMs = 15 * 60 * 1000;

// Threads: any; immutable. Owns: the keys' prepared hash states.
class Authenticator {
 public:
  // Keys in base64; an empty read-only key means that there is none. Fails: kInvalidArgument for a bad key.
  static Result<Authenticator> Create(std::string_view account_key, std::string_view read_only_key);
  ~Authenticator();
  Authenticator(Authenticator&&) noexcept;

  // `x_date` is the x-ms-date header, `date` the Date header that stands in when the former is empty; `now_ms` is real
  // time. Fails: kUnauthenticated (missing, malformed or wrong signature), kForbidden (date too far off).
  Result<Access> Check(const SignedParts& parts, std::string_view authorization, std::string_view x_date,
                       std::string_view date, int64_t now_ms) const;

  // The signature itself, base64; for tests and for clients of our own.
  std::string Sign(const SignedParts& parts, std::string_view x_date) const;

 private:
  struct Key;

  Authenticator(std::unique_ptr<const Key> account, std::unique_ptr<const Key> read_only);

  std::unique_ptr<const Key> account_;
  std::unique_ptr<const Key> read_only_;  // null: none
};

}  // namespace lapse::api::cosmos
