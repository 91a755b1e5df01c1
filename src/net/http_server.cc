#include "net/http_server.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>
#include <utility>
#include <vector>

#include "net/acceptor.h"
#include "net/event_loop.h"
#include "net/memory_budget.h"
#include "net/stream.h"

namespace lapse::net {
namespace {

class AsioHttpServer final : public HttpServer {
 public:
  AsioHttpServer(HttpServerOptions options, Handler* handler)
      : options_(std::move(options)),
        handler_(handler),
        memory_(std::make_shared<MemoryBudget>(options_.memory_bytes_max)) {}
  ~AsioHttpServer() override { Stop(0); }

  Status Listen() {
    if (!options_.tls_cert_pem.empty() || !options_.tls_key_pem.empty()) {
      LAPSE_ASSIGN_OR_RETURN(tls_, MakeTlsContext(options_));
    }
    for (int i = 0; i < std::max(1, options_.threads); ++i) {
      loops_.push_back(std::make_unique<EventLoop>(options_, handler_, tls_.get(), &connections_, memory_));
    }
    LAPSE_ASSIGN_OR_RETURN(acceptor_, Acceptor::Listen(*loops_.front(), options_.host, options_.port));
    return Status::Ok();
  }

  void Serve() {
    for (const auto& loop : loops_) loop->Start();
    loops_.front()->Post(
        [this] { acceptor_->Begin([this](int socket, bool peer_loopback) { Distribute(socket, peer_loopback); }); });
    serving_ = true;
  }

  void Stop(int grace_ms) override {
    std::lock_guard lock(stop_mutex_);
    if (!std::exchange(serving_, false)) return;
    // Waits, because no loop may receive a socket once it has been told to stop.
    std::promise<void> closed;
    loops_.front()->Post([this, &closed] {
      acceptor_->Close();
      closed.set_value();
    });
    closed.get_future().wait();
    for (const auto& loop : loops_) loop->Stop(grace_ms);
    for (const auto& loop : loops_) loop->Join();
  }

  uint16_t port() const override { return acceptor_->port(); }
  int64_t connections() const override { return connections_.load(std::memory_order_relaxed); }
  size_t memory_held() const override { return memory_->held(); }

 private:
  // Runs on the first loop's thread.
  void Distribute(int socket, bool peer_loopback) {
    connections_.fetch_add(1, std::memory_order_relaxed);
    loops_[next_loop_]->Adopt(socket, peer_loopback);
    next_loop_ = (next_loop_ + 1) % loops_.size();
  }

  const HttpServerOptions options_;
  Handler* const handler_;
  std::shared_ptr<boost::asio::ssl::context> tls_;
  std::atomic<int64_t> connections_{0};
  const std::shared_ptr<MemoryBudget> memory_;
  std::vector<std::unique_ptr<EventLoop>> loops_;
  std::unique_ptr<Acceptor> acceptor_;  // destroyed before its loop, the first one
  size_t next_loop_ = 0;                // used by the first loop's thread alone

  std::mutex stop_mutex_;
  bool serving_ = false;  // guarded by stop_mutex_
};

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::Start(HttpServerOptions options, Handler* handler) {
  auto server = std::make_unique<AsioHttpServer>(std::move(options), handler);
  LAPSE_RETURN_IF_ERROR(server->Listen());
  server->Serve();
  return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace lapse::net
