// The client's only connection to a server. It blocks, and is plain, or TLS with an authenticated server.
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

  // Sends all bytes. Fails: kUnavailable.
  virtual Status Send(std::string_view bytes) = 0;
  // Returns the next bytes, or none at the end. Fails: kUnavailable.
  virtual Result<std::string> Receive() = 0;
};

// `ca_file` (PEM) holds the certificates that verify a TLS server; empty: the system's. Fails: kUnavailable if no
// server responds, if it is not trusted, or if it is not the requested host; kInvalidArgument for a file without a
// certificate.
Result<std::unique_ptr<Connection>> Connect(const Endpoint& endpoint, const std::string& ca_file);

}  // namespace lapse::server::client
