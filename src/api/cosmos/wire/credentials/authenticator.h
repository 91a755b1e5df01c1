// Authenticates a request that is signed with one of the account's keys.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "api/account_keys.h"
#include "api/cosmos/wire/credentials/hmac_key.h"
#include "base/status.h"

namespace lapse::api::cosmos {

// What a signature covers.
struct SignedParts {
  std::string_view verb;           // "GET"
  std::string_view resource_type;  // "docs"; empty for the account
  std::string_view resource_link;  // decoded, original case, without a leading slash
};

enum class Access : uint8_t { kFull, kReadOnly };

// A client's clock may differ from ours by this much.
constexpr int64_t kDateSkewMaxMs = 15 * 60 * 1000;

// Threads: any; immutable. Owns: the keys' precomputed hash states.
class Authenticator {
 public:
  // Fails: kInvalidArgument for a key that is not base64, and without a primary key.
  static Result<Authenticator> Create(const AccountKeys& keys);
  // Uses the primary keys alone.
  static Result<Authenticator> Create(std::string_view account_key, std::string_view read_only_key);
  ~Authenticator();
  Authenticator(Authenticator&&) noexcept;

  // `x_date` is the x-ms-date header. `date` is the Date header, used if the former is empty. `now_ms` is real time.
  // Fails: kUnauthenticated (missing, malformed or wrong signature), kForbidden (date too far off).
  Result<Access> Check(const SignedParts& parts, std::string_view authorization, std::string_view x_date,
                       std::string_view date, int64_t now_ms) const;
  // The same for a parsed header.
  Result<Access> CheckSignature(const SignedParts& parts, std::string_view signature, std::string_view x_date,
                                std::string_view date, int64_t now_ms) const;

  // Returns the signature with the primary key, in base64, for tests and for our own clients.
  std::string Sign(const SignedParts& parts, std::string_view x_date) const;

 private:
  using KeyPtr = std::unique_ptr<const HmacKey>;
  struct Known {
    KeyPtr key;  // null: not set
    Access access = Access::kFull;
  };

  // In the order in which they are tried: most requests are signed with the first.
  explicit Authenticator(std::array<Known, 4> keys);

  std::array<Known, 4> keys_;
};

}  // namespace lapse::api::cosmos
