// The low-level SHA-256 calls: a state that was prepared once per key is copied by value for every request, which the
// EVP interface cannot do without allocating.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "api/cosmos/wire/auth.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "base/ascii.h"
#include "base/base64.h"
#include "base/calendar.h"
#include "base/hex.h"

namespace lapse::api::cosmos {
namespace {

constexpr size_t kHashBlockBytes = 64;
constexpr size_t kSignatureChars = Base64Chars(SHA256_DIGEST_LENGTH, kBase64);
// Longer than any well-formed value; longer ones are refused unread.
constexpr size_t kAuthorizationBytesMax = 512;

using Signature = std::array<char, kSignatureChars>;

// A decoded authorization header, on the stack.
class Decoded {
 public:
  bool Decode(std::string_view text) {
    if (text.size() > kAuthorizationBytesMax) return false;
    for (size_t i = 0; i < text.size(); ++i) {
      char c = text[i];
      if (c == '%') {
        if (i + 2 >= text.size()) return false;
        int high = HexDigit(text[i + 1]);
        int low = HexDigit(text[i + 2]);
        if (high < 0 || low < 0) return false;
        c = static_cast<char>(high << 4 | low);
        i += 2;
      }
      bytes_[size_++] = c;
    }
    return true;
  }
  std::string_view view() const { return {bytes_.data(), size_}; }

 private:
  std::array<char, kAuthorizationBytesMax> bytes_;
  size_t size_ = 0;
};

std::string_view TakeField(std::string_view* rest) {
  size_t end = rest->find('&');
  std::string_view field = rest->substr(0, end);
  rest->remove_prefix(end == std::string_view::npos ? rest->size() : end + 1);
  return field;
}

// The `sig` of `type=master&ver=1.0&sig=...`.
Result<std::string_view> MasterSignature(std::string_view decoded) {
  std::string_view rest = decoded;
  std::string_view type = TakeField(&rest);
  std::string_view version = TakeField(&rest);
  std::string_view signature = TakeField(&rest);
  if (type == "type=resource" || type == "type=aad" || type == "type=sas") {
    return Status(Code::kUnauthenticated, "The authorization token type is not supported; use the account's key.");
  }
  if (type != "type=master" || version != "ver=1.0" || !signature.starts_with("sig=") || !rest.empty()) {
    return Status(Code::kUnauthenticated, "The authorization header is not a valid token.");
  }
  return signature.substr(4);
}

void UpdateLower(SHA256_CTX* state, std::string_view text) {
  std::array<char, 64> lower;
  while (!text.empty()) {
    size_t count = std::min(text.size(), lower.size());
    for (size_t i = 0; i < count; ++i) lower[i] = LowerAscii(text[i]);
    SHA256_Update(state, lower.data(), count);
    text.remove_prefix(count);
  }
}

void NewLine(SHA256_CTX* state) {
  SHA256_Update(state, "\n", 1);
}

}  // namespace

// HMAC-SHA256 with both padded key blocks already hashed.
struct Authenticator::Key {
  explicit Key(std::string_view bytes) {
    std::array<uint8_t, kHashBlockBytes> block{};
    if (bytes.size() > kHashBlockBytes) {
      SHA256(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(), block.data());
    } else {
      std::memcpy(block.data(), bytes.data(), bytes.size());
    }
    Prepare(block, 0x36, &inner);
    Prepare(block, 0x5C, &outer);
    OPENSSL_cleanse(block.data(), block.size());
  }

  static void Prepare(std::array<uint8_t, kHashBlockBytes> block, uint8_t pad, SHA256_CTX* state) {
    for (uint8_t& byte : block) byte ^= pad;
    SHA256_Init(state);
    SHA256_Update(state, block.data(), block.size());
    OPENSSL_cleanse(block.data(), block.size());
  }

  // A request that has no x-ms-date signs its Date header one line further down.
  Signature Sign(const SignedParts& parts, std::string_view x_date, std::string_view date) const {
    SHA256_CTX state = inner;
    UpdateLower(&state, parts.verb);
    NewLine(&state);
    UpdateLower(&state, parts.resource_type);
    NewLine(&state);
    SHA256_Update(&state, parts.resource_link.data(), parts.resource_link.size());
    NewLine(&state);
    UpdateLower(&state, x_date);
    NewLine(&state);
    if (x_date.empty()) UpdateLower(&state, date);
    NewLine(&state);

    std::array<uint8_t, SHA256_DIGEST_LENGTH> digest;
    SHA256_Final(digest.data(), &state);
    state = outer;
    SHA256_Update(&state, digest.data(), digest.size());
    SHA256_Final(digest.data(), &state);

    Signature text;
    EncodeBase64({reinterpret_cast<const char*>(digest.data()), digest.size()}, kBase64, text.data());
    return text;
  }

  SHA256_CTX inner;
  SHA256_CTX outer;
};

Authenticator::Authenticator(std::unique_ptr<const Key> account, std::unique_ptr<const Key> read_only)
    : account_(std::move(account)), read_only_(std::move(read_only)) {}
Authenticator::~Authenticator() = default;
Authenticator::Authenticator(Authenticator&&) noexcept = default;

Result<Authenticator> Authenticator::Create(std::string_view account_key, std::string_view read_only_key) {
  std::string bytes;
  if (!FromBase64(account_key, &bytes) || bytes.empty()) {
    return Status(Code::kInvalidArgument, "the account key is not base64");
  }
  auto account = std::make_unique<const Key>(bytes);
  std::unique_ptr<const Key> read_only;
  if (!read_only_key.empty()) {
    if (!FromBase64(read_only_key, &bytes) || bytes.empty()) {
      return Status(Code::kInvalidArgument, "the read-only key is not base64");
    }
    read_only = std::make_unique<const Key>(bytes);
  }
  return Authenticator(std::move(account), std::move(read_only));
}

Result<Access> Authenticator::Check(const SignedParts& parts, std::string_view authorization, std::string_view x_date,
                                    std::string_view date, int64_t now_ms) const {
  if (authorization.empty()) {
    return Status(Code::kUnauthenticated,
                  "Required Header authorization is missing. Ensure a valid Authorization "
                  "token is passed.");
  }
  std::string_view signed_date = x_date.empty() ? date : x_date;
  int64_t request_ms = 0;
  if (!ParseRfc1123(signed_date, &request_ms)) {
    return Status(Code::kUnauthenticated,
                  "The x-ms-date or date header is missing or is not a date in the RFC 1123 format.");
  }
  Decoded decoded;
  if (!decoded.Decode(authorization)) {
    return Status(Code::kUnauthenticated, "The authorization header is not a valid token.");
  }
  LAPSE_ASSIGN_OR_RETURN(std::string_view given, MasterSignature(decoded.view()));

  auto matches = [&](const Key& key) {
    Signature expected = key.Sign(parts, x_date, date);
    return given.size() == kSignatureChars && CRYPTO_memcmp(given.data(), expected.data(), kSignatureChars) == 0;
  };
  std::optional<Access> access;
  if (matches(*account_))
    access = Access::kFull;
  else if (read_only_ != nullptr && matches(*read_only_))
    access = Access::kReadOnly;
  if (!access) {
    return Status(Code::kUnauthenticated,
                  "The input authorization token can't serve the request. The wrong key is being used or the expected "
                  "payload is not built as per the protocol.");
  }
  if (request_ms > now_ms + kDateSkewMaxMs || request_ms < now_ms - kDateSkewMaxMs) {
    return Status(Code::kForbidden,
                  "The authorization token is not valid at the current time. Please create another token and retry: "
                  "the date of the request differs from the server's by more than 15 minutes.");
  }
  return *access;
}

std::string Authenticator::Sign(const SignedParts& parts, std::string_view x_date) const {
  return std::string(account_->Sign(parts, x_date, {}).data(), kSignatureChars);
}

}  // namespace lapse::api::cosmos
