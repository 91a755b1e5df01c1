// Resource tokens: their contents, signed and verified (docs/design/authorization.md draws the bytes).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/cosmos/wire/credentials/hmac_key.h"
#include "base/status.h"
#include "engine/records/ids/ids.h"

namespace lapse::api::cosmos {

enum class GrantMode : uint8_t { kRead = 1, kAll = 2 };

// A digest of what a permission grants: resource, mode and key.
using GrantDigest = std::array<char, 16>;

struct TokenClaims {
  engine::ResourceNumber permission = 0;
  engine::ContainerId container = 0;  // 0: there was no such container
  int64_t start_s = 0;                // real time
  int64_t expiry_s = 0;
  GrantMode mode = GrantMode::kRead;
  GrantDigest grant{};

  bool operator==(const TokenClaims&) const = default;
};

// Lifetime of a token, in seconds.
constexpr int64_t kTokenLifetimeMin_s = 600;
constexpr int64_t kTokenLifetimeMax_s = 86'400;
constexpr int64_t kTokenLifetimeDefault_s = 3'600;

// Threads: any; immutable. Owns: the secret, as a prepared key.
class TokenSigner {
 public:
  explicit TokenSigner(std::string_view secret) : key_(secret) {}

  // Makes a secret for a new store. Fails: kInternal if the system has no randomness.
  static Result<std::string> MakeSecret();

  // `type=resource&ver=1.0&sig=...`
  std::string Issue(const TokenClaims& claims) const;
  // `proof` is what follows `sig=`. Fails: kUnauthenticated unless this signer issued exactly this token.
  Result<TokenClaims> Verify(std::string_view proof) const;

 private:
  HmacKey::Digest SignatureOf(std::string_view claims) const;

  const HmacKey key_;
};

}  // namespace lapse::api::cosmos
