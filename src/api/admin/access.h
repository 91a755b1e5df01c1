// Access control of the admin routes.
//
// On the machine itself the routes are open, so that `curl` and test suites need no key. But a browser runs on the
// machine, too, and a web page may have its name rebound to a loopback address. Such a request still carries the page's
// own name in Host, so open access is limited to loopback names. All other clients present an account key: any key to
// read, a read-write key to change something. A POST that comes from the machine under a foreign name is refused even
// with a key, because a web page knows the well-known key. And while that key is in use, no key is accepted under a
// name
// that a web page can have.
//
// A client presents a key by signing the request, which keeps the key secret in transit, or as plain text (`Bearer`).
//
// A proxy on the machine looks like the machine itself, whoever its clients are. So a change that affects all users
// always requires the key. The test clock does not, because it exists for test suites.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "api/account_keys.h"
#include "base/status.h"
#include "net/http.h"

namespace lapse::api::admin {

// Returns true for 127.0.0.1, localhost and [::1], with any port or none.
bool IsLoopbackHost(std::string_view host_header);

// Returns true for application/json, with any parameters.
bool IsJsonContentType(std::string_view content_type);

enum class KeyKind : uint8_t { kReadOnly, kReadWrite };

// Checks that the document API applies and the admin routes share. A null signature check accepts no signature, and a
// null host check accepts any name.
struct KeyChecks {
  // Returns the key that signed the request. Fails: kUnauthenticated; kForbidden for a date that is too far off.
  std::function<Result<KeyKind>(const net::Request& request)> signature;
  // Whether keys are accepted under this Host. Fails: kForbidden.
  std::function<Status(std::string_view host)> host;
};

// Returns the key that a request presents. Fails: kUnauthenticated without a valid key, and as the checks do.
Result<KeyKind> ShownKey(const net::Request& request, const AccountKeys& keys, const KeyChecks& checks);

// Whether a request qualifies for open access: from the machine, under a loopback name.
bool IsLocal(const net::Request& request);

enum class KeyRule { kElsewhere, kAlways };  // which clients need a key: those on other machines, or all

// Fails: kInvalidArgument if a header that decides is repeated; kUnauthenticated without a key if one is needed;
// kForbidden for a POST under a foreign name or with a read-only key; and as the checks do.
Status CheckAccess(const net::Request& request, const AccountKeys& keys, const KeyChecks& checks,
                   KeyRule rule = KeyRule::kElsewhere);

}  // namespace lapse::api::admin
