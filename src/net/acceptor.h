// The listening socket: accepts connections as fast as they arrive and passes their sockets on.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "net/event_loop.h"

namespace lapse::net {

// Threads: Begin and Close on the loop's thread, the rest any.
class Acceptor {
 public:
  // Receives each new socket, which is non-blocking.
  using OnAccepted = std::function<void(int socket, bool peer_loopback)>;

  // Binds and listens. Clients can connect from now on, but connections are accepted only after Begin. `loop` must
  // outlive the acceptor.
  // Fails: kInvalidArgument for a bad host, kUnavailable when the address cannot be bound.
  static Result<std::unique_ptr<Acceptor>> Listen(EventLoop& loop, const std::string& host, uint16_t port);
  virtual ~Acceptor() = default;

  virtual uint16_t port() const = 0;
  virtual void Begin(OnAccepted on_accepted) = 0;
  virtual void Close() = 0;
};

}  // namespace lapse::net
