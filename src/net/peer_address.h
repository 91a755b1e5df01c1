// What a socket address says about the peer.
#pragma once

struct sockaddr;

namespace lapse::net {

// 127.0.0.0/8, ::1, or the former mapped into IPv6.
bool IsLoopback(const sockaddr* address);

}  // namespace lapse::net
