// A thread, its io_context, and the connections it serves. A connection stays with its loop, so it needs no locks.
#pragma once

#include <functional>
#include <memory>
#include <thread>

#include "net/connection.h"

namespace lapse::net {

// Threads: any, except that io() is only for objects that live on the loop.
// Owns: its thread and its connections.
class EventLoop {
 public:
  // `options`, `handler`, `tls` and `connections_open` must outlive the loop; `tls` may be null.
  EventLoop(const HttpServerOptions& options, Handler* handler, boost::asio::ssl::context* tls,
            std::atomic<int64_t>* connections_open, std::shared_ptr<MemoryBudget> memory);
  ~EventLoop();  // call Join first
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  boost::asio::io_context& io();

  void Start();
  // Runs `work` on the loop, in the order of the calls. Must not be called after Stop.
  void Post(std::function<void()> work);
  // Takes over a socket, already counted as open, or refuses it when there are too many. Must not be called after Stop.
  void Adopt(int socket, bool peer_loopback);
  // Closes idle connections at once, and the others after their request or after `grace_ms`. Then the loop ends.
  void Stop(int grace_ms);
  void Join();

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace lapse::net
