// A thread, its io_context and the connections it serves. A connection stays with its loop, so that nothing it does
// needs a lock.
#pragma once

#include <functional>
#include <memory>
#include <thread>

#include "net/connection.h"

namespace lapse::net {

// Threads: any, but for io(), which is for things that live on the loop.
// Owns: its thread, its connections.
class EventLoop {
 public:
  // `options`, `handler`, `tls` and `connections_open` must outlive the loop; `tls` may be null.
  EventLoop(const HttpServerOptions& options, Handler* handler, boost::asio::ssl::context* tls,
            std::atomic<int64_t>* connections_open, std::shared_ptr<MemoryBudget> memory);
  ~EventLoop();  // after Join
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  boost::asio::io_context& io();

  void Start();
  // Runs `work` on the loop, in the order of the calls. Not after Stop.
  void Post(std::function<void()> work);
  // Takes over a socket that counts as open already, or refuses it when there are too many. Not after Stop.
  void Adopt(int socket, bool peer_loopback);
  // Idle connections are closed at once, the others after their request or after `grace_ms`; then the loop ends.
  void Stop(int grace_ms);
  void Join();

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace lapse::net
