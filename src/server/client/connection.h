// The client's one connection to a server, blocking: plain, or TLS that knows whom it speaks to.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace lapse::server::client {

struct Endpoint {
  std::string host;
  uint16_t port = 0;
  bool is_tls = false;
};

// Threads: one. Owns: the socket. A server that is silent for 10 seconds is an error.
class Connection {
 public:
  virtual ~Connection() = default;

  // All of it. Fails: kUnavailable.
  virtual Status Send(std::string_view bytes) = 0;
  // What comes next; nothing at the end. Fails: kUnavailable.
  virtual Result<std::string> Receive() = 0;
};

// `ca_file` (PEM) has the certificates that a TLS server is trusted by; empty: those of the system. Fails: kUnavailable
// when nobody answers, or who answers is not trusted or not the host that was asked for; kInvalidArgument for a file
// that has no certificate.
Result<std::unique_ptr<Connection>> Connect(const Endpoint& endpoint, const std::string& ca_file);

}  // namespace lapse::server::client
