// Properties of a peer's socket address.
#pragma once

struct sockaddr;

namespace lapse::net {

// Whether the address is in 127.0.0.0/8, possibly mapped into IPv6, or is ::1.
bool IsLoopback(const sockaddr* address);

}  // namespace lapse::net
