// A connected socket that waits for its peer with a time limit.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <utility>

#include "base/status.h"
#include "server/client/connection.h"

namespace lapse::server::client {

// The most that a connection receives at once.
constexpr size_t kReceiveBytesMax = 16 * 1024;

// Owns: the descriptor.
class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) {}
  ~Socket();
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&&) = delete;
  int fd() const { return fd_; }

  // Like the system's send(), but a peer that is gone is an error rather than a signal.
  ssize_t Send(const char* bytes, size_t size) const;
  ssize_t Receive(char* bytes, size_t size_max) const;

 private:
  int fd_;
};

// Fails: kUnavailable.
Result<Socket> ConnectSocket(const Endpoint& endpoint);

// "no answer from HOST port N: REASON"
Status NoAnswer(const Endpoint& endpoint, const std::string& reason);
// Returns why the last call on a socket failed.
std::string SocketError();

}  // namespace lapse::server::client
