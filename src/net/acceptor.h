// The listening socket: accepts as fast as peers connect and passes the sockets on.
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
  // Is given each new socket, which is non-blocking.
  using OnAccepted = std::function<void(int socket, bool peer_loopback)>;

  // Binds and listens, so that peers can connect, though none is accepted before Begin. `loop` must outlive the
  // acceptor. Fails: kInvalidArgument for a bad host, kUnavailable when the address cannot be had.
  static Result<std::unique_ptr<Acceptor>> Listen(EventLoop& loop, const std::string& host, uint16_t port);
  virtual ~Acceptor() = default;

  virtual uint16_t port() const = 0;
  virtual void Begin(OnAccepted on_accepted) = 0;
  virtual void Close() = 0;
};

}  // namespace lapse::net
