// Who may use the admin routes.
//
// On the machine itself they are open, so that `curl` and test suites need no key. A browser runs on the machine too,
// and a web page may have its name rebound to a loopback address: such a request still carries the page's own name in
// Host, so the open door is for loopback names alone. Everybody else shows an account key: any one to read, a
// read-write one to change something. A POST that comes from the machine under a foreign name is refused even with the
// key, because the well-known key is no secret to a web page; and where that key is in use, no key counts under a name
// that a web page can have.
//
// A key is shown by a signature over the request, which keeps it secret on the way, or as it is (`Bearer`).
//
// A proxy on the machine looks like the machine itself, whoever stands behind it. So what changes something for all
// users takes the key in any case; the test clock, which exists for test suites, does not.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "api/account_keys.h"
#include "base/status.h"
#include "net/http.h"

namespace lapse::api::admin {

// True for 127.0.0.1, localhost and [::1], with any port or none.
bool IsLoopbackHost(std::string_view host_header);

// True for application/json, with any parameters.
bool IsJsonContentType(std::string_view content_type);

enum class KeyKind : uint8_t { kReadOnly, kReadWrite };

// What the document API judges by and the admin routes do, too. Either may be null: nothing is signed, any name will
// do.
struct KeyChecks {
  // The key that the request is signed with. Fails: kUnauthenticated, kForbidden for a date that is too far off.
  std::function<Result<KeyKind>(const net::Request& request)> signature;
  // Whether a key counts under this Host. Fails: kForbidden.
  std::function<Status(std::string_view host)> host;
};

// The key that a request shows. Fails: kUnauthenticated without a good one, and as the checks do.
Result<KeyKind> ShownKey(const net::Request& request, const AccountKeys& keys, const KeyChecks& checks);

// Whether a request comes in by the open door: from the machine, under a loopback name.
bool IsLocal(const net::Request& request);

enum class KeyRule { kElsewhere, kAlways };  // who must show the key: those who come from elsewhere, or everybody

// Fails: kInvalidArgument when a header that decides is given twice, kUnauthenticated without a key where it is needed,
// kForbidden for a POST under a foreign name or with a read-only key, and as the checks do.
Status CheckAccess(const net::Request& request, const AccountKeys& keys, const KeyChecks& checks,
                   KeyRule rule = KeyRule::kElsewhere);

}  // namespace lapse::api::admin
