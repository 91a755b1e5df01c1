#include "api/admin/access.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <string>

#include "base/ascii.h"

namespace lapse::api::admin {
namespace {

constexpr std::string_view kBearer = "bearer ";

// Accepts ":8081", or an empty text.
bool IsPortSuffix(std::string_view text) {
  if (text.empty()) return true;
  if (text.front() != ':') return false;
  text.remove_prefix(1);
  return std::all_of(text.begin(), text.end(), IsDigit);
}

// Takes constant time for keys of equal length. The length of the key is not secret.
bool SameKey(std::string_view given, std::string_view key) {
  return !key.empty() && given.size() == key.size() && CRYPTO_memcmp(given.data(), key.data(), key.size()) == 0;
}

// The headers that decide about access here. (The framing layer refuses a second Host.)
bool HasOneValue(std::string_view name) {
  return EqualsIgnoreCase(name, "authorization") || EqualsIgnoreCase(name, "content-type") ||
         EqualsIgnoreCase(name, "x-ms-date") || EqualsIgnoreCase(name, "date");
}

}  // namespace

bool IsLoopbackHost(std::string_view host_header) {
  for (std::string_view name : {"127.0.0.1", "localhost", "[::1]"}) {
    if (StartsWithIgnoreCase(host_header, name) && IsPortSuffix(host_header.substr(name.size()))) return true;
  }
  return false;
}

bool IsJsonContentType(std::string_view content_type) {
  return EqualsIgnoreCase(TrimBlanks(content_type.substr(0, content_type.find(';'))), "application/json");
}

Result<KeyKind> ShownKey(const net::Request& request, const AccountKeys& keys, const KeyChecks& checks) {
  if (checks.host != nullptr) LAPSE_RETURN_IF_ERROR(checks.host(request.Header("host")));
  const std::string_view authorization = request.Header("authorization");
  if (StartsWithIgnoreCase(authorization, kBearer)) {
    const std::string_view given = TrimBlanks(authorization.substr(kBearer.size()));
    if (SameKey(given, keys.primary) || SameKey(given, keys.secondary)) return KeyKind::kReadWrite;
    if (SameKey(given, keys.read_only) || SameKey(given, keys.secondary_read_only)) return KeyKind::kReadOnly;
  } else if (!authorization.empty() && checks.signature != nullptr) {
    return checks.signature(request);
  }
  return Status(Code::kUnauthenticated,
                "needs an account key: 'Authorization: Bearer <account key>', or a signature with it");
}

bool IsLocal(const net::Request& request) {
  return request.peer_loopback && IsLoopbackHost(request.Header("host"));
}

Status CheckAccess(const net::Request& request, const AccountKeys& keys, const KeyChecks& checks, KeyRule rule) {
  if (std::string_view name = request.RepeatedHeader(HasOneValue); !name.empty()) {
    return {Code::kInvalidArgument, "the header '" + std::string(name) + "' is given more than once"};
  }
  const bool reads = request.method == "GET";
  if (IsLocal(request)) {
    if (rule == KeyRule::kElsewhere) return Status::Ok();
  } else if (request.peer_loopback && !reads) {
    return {Code::kForbidden, "from this machine, use a loopback name (127.0.0.1, localhost or [::1])"};
  }
  LAPSE_ASSIGN_OR_RETURN(const KeyKind key, ShownKey(request, keys, checks));
  if (key == KeyKind::kReadWrite || reads) return Status::Ok();
  return {Code::kForbidden, "the given key is for reading alone; this request needs a read-write key"};
}

}  // namespace lapse::api::admin
