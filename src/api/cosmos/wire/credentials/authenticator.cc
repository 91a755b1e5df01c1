#include "api/cosmos/wire/credentials/authenticator.h"

#include <optional>
#include <utility>

#include "api/cosmos/wire/credentials/authorization_header.h"
#include "base/ascii.h"
#include "base/base64.h"
#include "base/calendar.h"
#include "base/hex.h"

namespace lapse::api::cosmos {
namespace {

constexpr size_t kSignatureChars = Base64Chars(HmacKey::kDigestBytes, kBase64);
// An error shows this much of the signed text.
constexpr size_t kShownBytesMax = 1024;

using Signature = std::array<char, kSignatureChars>;

// A request without x-ms-date signs its Date header one line further down.
Signature SignWith(const HmacKey& key, const SignedParts& parts, std::string_view x_date, std::string_view date) {
  HmacKey::Hashing text(key);
  text.AddLower(parts.verb);
  text.Add("\n");
  text.AddLower(parts.resource_type);
  text.Add("\n");
  text.Add(parts.resource_link);
  text.Add("\n");
  text.AddLower(x_date);
  text.Add("\n");
  if (x_date.empty()) text.AddLower(date);
  text.Add("\n");
  const HmacKey::Digest digest = text.End();
  Signature signature;
  EncodeBase64({digest.data(), digest.size()}, kBase64, signature.data());
  return signature;
}

// Returns null for a key that is not given.
Result<std::unique_ptr<const HmacKey>> KeyFrom(std::string_view base64, std::string_view name) {
  if (base64.empty()) return std::unique_ptr<const HmacKey>();
  std::string bytes;
  if (FromBase64(base64, &bytes) && !bytes.empty()) return std::make_unique<const HmacKey>(bytes);
  return Status(Code::kInvalidArgument, "the " + std::string(name) + " is not base64");
}

void AppendLower(std::string_view text, std::string* out) {
  for (char c : text) out->push_back(LowerAscii(c));
}

// A path may contain any bytes. Those that are not text are shown percent-encoded.
std::string Shown(std::string_view payload) {
  std::string shown;
  for (char c : payload.substr(0, kShownBytesMax)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      shown.push_back(c);
    } else {
      shown.append("%").append(HexUpper({&c, 1}));
    }
  }
  return shown;
}

// Shows what the client should have signed. None of it is secret, and it helps developers to fix their clients.
Status WrongSignature(const SignedParts& parts, std::string_view x_date, std::string_view date) {
  std::string payload;
  AppendLower(parts.verb, &payload);
  AppendLower("\n" + std::string(parts.resource_type) + "\n", &payload);
  payload.append(parts.resource_link).push_back('\n');
  AppendLower(x_date, &payload);
  payload.push_back('\n');
  if (x_date.empty()) AppendLower(date, &payload);
  payload.push_back('\n');
  return Status(Code::kUnauthenticated,
                "The input authorization token can't serve the request. The wrong key is being used or the expected "
                "payload is not built as per the protocol. Server used the following payload to sign: '" +
                    Shown(payload) + "'");
}

}  // namespace

Authenticator::Authenticator(std::array<Known, 4> keys) : keys_(std::move(keys)) {}
Authenticator::~Authenticator() = default;
Authenticator::Authenticator(Authenticator&&) noexcept = default;

Result<Authenticator> Authenticator::Create(const AccountKeys& keys) {
  if (keys.primary.empty()) return Status(Code::kInvalidArgument, "the account key is missing");
  LAPSE_ASSIGN_OR_RETURN(KeyPtr primary, KeyFrom(keys.primary, "account key"));
  LAPSE_ASSIGN_OR_RETURN(KeyPtr secondary, KeyFrom(keys.secondary, "secondary account key"));
  LAPSE_ASSIGN_OR_RETURN(KeyPtr read_only, KeyFrom(keys.read_only, "read-only key"));
  LAPSE_ASSIGN_OR_RETURN(KeyPtr secondary_read_only, KeyFrom(keys.secondary_read_only, "secondary read-only key"));
  return Authenticator({Known{std::move(primary), Access::kFull}, Known{std::move(secondary), Access::kFull},
                        Known{std::move(read_only), Access::kReadOnly},
                        Known{std::move(secondary_read_only), Access::kReadOnly}});
}

Result<Authenticator> Authenticator::Create(std::string_view account_key, std::string_view read_only_key) {
  return Create({.primary = std::string(account_key),
                 .secondary = "",
                 .read_only = std::string(read_only_key),
                 .secondary_read_only = ""});
}

Result<Access> Authenticator::Check(const SignedParts& parts, std::string_view authorization, std::string_view x_date,
                                    std::string_view date, int64_t now_ms) const {
  AuthorizationHeader header;
  LAPSE_RETURN_IF_ERROR(header.Parse(authorization));
  if (header.type() != AuthorizationHeader::Type::kKey) {
    return Status(Code::kUnauthenticated, "The authorization token is not a signature with an account key.");
  }
  return CheckSignature(parts, header.proof(), x_date, date, now_ms);
}

Result<Access> Authenticator::CheckSignature(const SignedParts& parts, std::string_view signature,
                                             std::string_view x_date, std::string_view date, int64_t now_ms) const {
  std::string_view signed_date = x_date.empty() ? date : x_date;
  int64_t request_ms = 0;
  if (!ParseRfc1123(signed_date, &request_ms)) {
    return Status(Code::kUnauthenticated,
                  "The x-ms-date or date header is missing or is not a date in the RFC 1123 format.");
  }
  std::optional<Access> access;
  for (const Known& known : keys_) {
    if (known.key == nullptr) continue;
    const Signature expected = SignWith(*known.key, parts, x_date, date);
    if (!SameBytes(signature, {expected.data(), expected.size()})) continue;
    access = known.access;
    break;
  }
  if (!access) return WrongSignature(parts, x_date, date);
  if (request_ms > now_ms + kDateSkewMaxMs || request_ms < now_ms - kDateSkewMaxMs) {
    return Status(Code::kForbidden,
                  "The authorization token is not valid at the current time. Please create another token and retry: "
                  "the date of the request differs from the server's by more than 15 minutes.");
  }
  return *access;
}

std::string Authenticator::Sign(const SignedParts& parts, std::string_view x_date) const {
  return std::string(SignWith(*keys_[0].key, parts, x_date, {}).data(), kSignatureChars);
}

}  // namespace lapse::api::cosmos
