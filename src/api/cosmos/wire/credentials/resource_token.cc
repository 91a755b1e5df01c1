#include "api/cosmos/wire/credentials/resource_token.h"

#include <openssl/rand.h>

#include "base/base64.h"
#include "base/bytes.h"

namespace lapse::api::cosmos {
namespace {

constexpr uint8_t kResourceTokenVersion = 1;
constexpr size_t kSecretBytes = 32;
constexpr size_t kClaimsBytes = 42;
constexpr size_t kProofChars = Base64Chars(kClaimsBytes + HmacKey::kDigestBytes, kBase64Url);
// Keeps the signature of a token from being valid for any other use of the key.
constexpr std::string_view kLabel = "lapse resource token\n";

std::string Encode(const TokenClaims& claims) {
  std::string bytes(1, static_cast<char>(kResourceTokenVersion));
  PutLittleEndian(&bytes, claims.permission);
  PutLittleEndian(&bytes, claims.container);
  PutLittleEndian(&bytes, claims.start_s);
  PutLittleEndian(&bytes, claims.expiry_s);
  bytes.push_back(static_cast<char>(claims.mode));
  bytes.append(claims.grant.data(), claims.grant.size());
  return bytes;
}

// The signature was right, so this process wrote these bytes.
TokenClaims Decode(std::string_view bytes) {
  ByteReader reader(bytes);
  reader.Byte();
  TokenClaims claims;
  claims.permission = reader.LittleEndian<engine::ResourceNumber>();
  claims.container = reader.LittleEndian<engine::ContainerId>();
  claims.start_s = reader.LittleEndian<int64_t>();
  claims.expiry_s = reader.LittleEndian<int64_t>();
  claims.mode = static_cast<GrantMode>(reader.Byte());
  reader.Take(claims.grant.size()).copy(claims.grant.data(), claims.grant.size());
  return claims;
}

Status NotOurs() {
  return Status(Code::kUnauthenticated,
                "The input authorization token can't serve the request. It is not a resource token of this server.");
}

}  // namespace

Result<std::string> TokenSigner::MakeSecret() {
  std::string secret(kSecretBytes, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(secret.data()), static_cast<int>(secret.size())) == 1) return secret;
  return Status(Code::kInternal, "the system gives no random bytes");
}

HmacKey::Digest TokenSigner::SignatureOf(std::string_view claims) const {
  HmacKey::Hashing text(key_);
  text.Add(kLabel);
  text.Add(claims);
  return text.End();
}

std::string TokenSigner::Issue(const TokenClaims& claims) const {
  std::string bytes = Encode(claims);
  const HmacKey::Digest signature = SignatureOf(bytes);
  bytes.append(signature.data(), signature.size());
  return "type=resource&ver=1.0&sig=" + Base64(bytes, kBase64Url);
}

Result<TokenClaims> TokenSigner::Verify(std::string_view proof) const {
  std::string bytes;
  if (proof.size() != kProofChars || !FromBase64(proof, &bytes, kBase64Url)) return NotOurs();
  // The last digit has spare bits. Each token has only one valid text.
  if (Base64(bytes, kBase64Url) != proof) return NotOurs();
  const std::string_view claims = std::string_view(bytes).substr(0, kClaimsBytes);
  const HmacKey::Digest expected = SignatureOf(claims);
  if (!SameBytes(std::string_view(bytes).substr(kClaimsBytes), {expected.data(), expected.size()})) return NotOurs();
  if (claims[0] != kResourceTokenVersion) return NotOurs();
  return Decode(claims);
}

}  // namespace lapse::api::cosmos
