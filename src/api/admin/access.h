// Who may use the admin routes.
//
// On the machine itself they are open, so that `curl` and test suites need no key. A browser runs on the machine too,
// and a web page may have its name rebound to a loopback address: such a request still carries the page's own name in
// Host, so the open door is for loopback names alone. Everybody else shows an account key, a read-write one. A POST
// that comes from the machine under a foreign name is refused even with the key, because the well-known key is no
// secret to a web page.
//
// A proxy on the machine looks like the machine itself, whoever stands behind it. So what changes something for all
// users takes the key in any case; the test clock, which exists for test suites, does not.
#pragma once

#include <string_view>

#include "api/account_keys.h"
#include "base/status.h"
#include "net/http.h"

namespace lapse::api::admin {

// True for 127.0.0.1, localhost and [::1], with any port or none.
bool IsLoopbackHost(std::string_view host_header);

// True for application/json, with any parameters.
bool IsJsonContentType(std::string_view content_type);

enum class KeyRule { kElsewhere, kAlways };  // who must show the key: those who come from elsewhere, or everybody

// The read-write keys, either of which is good. Fails: kInvalidArgument when a header that decides is given twice,
// kUnauthenticated without a key where it is needed, kForbidden for a POST under a foreign name.
Status CheckAccess(const net::Request& request, const AccountKeys& keys, KeyRule rule = KeyRule::kElsewhere);

}  // namespace lapse::api::admin
