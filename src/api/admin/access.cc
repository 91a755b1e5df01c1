#include "api/admin/access.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <string>

#include "base/ascii.h"

namespace lapse::api::admin {
namespace {

constexpr std::string_view kBearer = "bearer ";

// ":8081", or nothing at all.
bool IsPortSuffix(std::string_view text) {
  if (text.empty()) return true;
  if (text.front() != ':') return false;
  text.remove_prefix(1);
  return std::all_of(text.begin(), text.end(), IsDigit);
}

// In constant time for keys of one length; the length of the key is no secret.
bool SameKey(std::string_view given, std::string_view key) {
  return !key.empty() && given.size() == key.size() && CRYPTO_memcmp(given.data(), key.data(), key.size()) == 0;
}

bool ShowsKey(const net::Request& request, const AccountKeys& keys) {
  std::string_view authorization = request.Header("authorization");
  if (!StartsWithIgnoreCase(authorization, kBearer)) return false;
  const std::string_view given = TrimBlanks(authorization.substr(kBearer.size()));
  return SameKey(given, keys.primary) || SameKey(given, keys.secondary);
}

// What decides about access here. (Framing refuses a second Host.)
bool HasOneValue(std::string_view name) {
  return EqualsIgnoreCase(name, "authorization") || EqualsIgnoreCase(name, "content-type");
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

Status CheckAccess(const net::Request& request, const AccountKeys& keys, KeyRule rule) {
  if (std::string_view name = request.RepeatedHeader(HasOneValue); !name.empty()) {
    return {Code::kInvalidArgument, "the header '" + std::string(name) + "' is given more than once"};
  }
  if (request.peer_loopback) {
    const bool loopback_name = IsLoopbackHost(request.Header("host"));
    if (loopback_name && rule == KeyRule::kElsewhere) return Status::Ok();
    if (!loopback_name && request.method != "GET") {
      return {Code::kForbidden, "from this machine, use a loopback name (127.0.0.1, localhost or [::1])"};
    }
  }
  if (ShowsKey(request, keys)) return Status::Ok();
  return {Code::kUnauthenticated, "needs 'Authorization: Bearer <account key>'"};
}

}  // namespace lapse::api::admin
