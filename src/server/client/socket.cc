#include "server/client/socket.h"

#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace lapse::server::client {
namespace {

constexpr int kTimeout_s = 10;

}  // namespace

Socket::~Socket() {
  if (fd_ >= 0) ::close(fd_);
}

ssize_t Socket::Send(const char* bytes, size_t size) const {
  return ::send(fd_, bytes, size, MSG_NOSIGNAL);
}

ssize_t Socket::Receive(char* bytes, size_t size_max) const {
  return ::recv(fd_, bytes, size_max, 0);
}

Status NoAnswer(const Endpoint& endpoint, const std::string& reason) {
  return {Code::kUnavailable,
          "no answer from " + endpoint.host + " port " + std::to_string(endpoint.port) + ": " + reason};
}

std::string SocketError() {
  const bool timed_out = errno == EAGAIN || errno == EWOULDBLOCK;
  return timed_out ? "silent for " + std::to_string(kTimeout_s) + " s" : std::strerror(errno);
}

Result<Socket> ConnectSocket(const Endpoint& endpoint) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  int error = ::getaddrinfo(endpoint.host.c_str(), std::to_string(endpoint.port).c_str(), &hints, &found);
  if (error != 0) return NoAnswer(endpoint, ::gai_strerror(error));
  std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, &::freeaddrinfo);

  std::string reason = "no address";
  for (const addrinfo* address = addresses.get(); address != nullptr; address = address->ai_next) {
    Socket socket(::socket(address->ai_family, address->ai_socktype | SOCK_CLOEXEC, address->ai_protocol));
    timeval limit = {.tv_sec = kTimeout_s, .tv_usec = 0};
    ::setsockopt(socket.fd(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
    ::setsockopt(socket.fd(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    if (::connect(socket.fd(), address->ai_addr, address->ai_addrlen) == 0) return socket;
    reason = std::strerror(errno);
  }
  return NoAnswer(endpoint, reason);
}

}  // namespace lapse::server::client
