#include "net/acceptor.h"

#include <sys/socket.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/fail_point.h"
#include "base/log.h"
#include "net/peer_address.h"

namespace lapse::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using ErrorCode = boost::system::error_code;

// Connections accepted before the loop serves existing ones again.
constexpr int kAcceptBurst = 64;
// Pause after running out of descriptors or memory, when an immediate retry would only burn time.
constexpr std::chrono::milliseconds kPause{100};
// Interval between log lines about a shortage, even if it keeps ending and starting again.
constexpr int64_t kShortageLogPauseNs = 60'000'000'000;

constinit FailPoint accept_fails("net.accept");

bool IsShortage(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

class TcpAcceptor final : public Acceptor {
 public:
  explicit TcpAcceptor(asio::io_context& io) : acceptor_(io), timer_(io) {}

  Status Listen(const tcp::endpoint& endpoint) {
    ErrorCode error;
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error && endpoint.address().is_v6()) acceptor_.set_option(asio::ip::v6_only(false), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (!error) acceptor_.non_blocking(true, error);
    if (!error) port_ = acceptor_.local_endpoint(error).port();
    if (!error) return Status::Ok();
    return Status(Code::kUnavailable, "Cannot listen on " + endpoint.address().to_string() + " port " +
                                          std::to_string(endpoint.port()) + ": " + error.message());
  }

  uint16_t port() const override { return port_; }

  void Begin(OnAccepted on_accepted) override {
    on_accepted_ = std::move(on_accepted);
    Await();
  }

  void Close() override {
    ErrorCode ignored;
    acceptor_.close(ignored);
    timer_.cancel();
  }

 private:
  void Await() {
    acceptor_.async_wait(tcp::acceptor::wait_read, [this](const ErrorCode& error) {
      if (!acceptor_.is_open()) return;
      if (error || !AcceptSome()) {
        Pause();
      } else {
        Await();
      }
    });
  }

  // Returns false when resources have run out.
  bool AcceptSome() {
    for (int i = 0; i < kAcceptBurst; ++i) {
      sockaddr_storage storage{};
      auto* peer = reinterpret_cast<sockaddr*>(&storage);
      socklen_t size = sizeof(storage);
      const int socket = Accept(peer, &size);
      if (socket >= 0) {
        on_accepted_(socket, IsLoopback(peer));
      } else if (IsShortage(errno)) {
        LogShortage(errno);
        return false;
      } else if (errno == EAGAIN) {
        // No connection is waiting, so any shortage is over.
        shortage_ = false;
        return true;
      }
    }
    return true;
  }

  int Accept(sockaddr* peer, socklen_t* size) {
    if (!accept_fails.Check().ok()) {
      errno = EMFILE;
      return -1;
    }
    return ::accept4(acceptor_.native_handle(), peer, size, SOCK_NONBLOCK | SOCK_CLOEXEC);
  }

  // Logs once per shortage, since it retries ten times a second for the same reason.
  void LogShortage(int error) {
    if (std::exchange(shortage_, true)) return;
    const int64_t now_ns = RealSteadyClock().NowNs();
    if (shortage_logged_ns_ && now_ns < *shortage_logged_ns_ + kShortageLogPauseNs) return;
    shortage_logged_ns_ = now_ns;
    Log(LogLevel::kWarn, "accept_failed",
        {{"error", ErrorCode(error, boost::system::system_category()).message()},
         {"effect", "new connections wait until there is room; tried again until then"}});
  }

  void Pause() {
    timer_.expires_after(kPause);
    timer_.async_wait([this](const ErrorCode&) {
      if (acceptor_.is_open()) Await();
    });
  }

  tcp::acceptor acceptor_;
  asio::steady_timer timer_;
  OnAccepted on_accepted_;
  uint16_t port_ = 0;
  bool shortage_ = false;  // from the first connection that could not be accepted until none is waiting
  std::optional<int64_t> shortage_logged_ns_;
};

}  // namespace

Result<std::unique_ptr<Acceptor>> Acceptor::Listen(EventLoop& loop, const std::string& host, uint16_t port) {
  ErrorCode error;
  const asio::ip::address address = asio::ip::make_address(host == "localhost" ? "127.0.0.1" : host, error);
  if (error) return Status(Code::kInvalidArgument, "The host to listen on is not an IP address: " + host);
  auto acceptor = std::make_unique<TcpAcceptor>(loop.io());
  LAPSE_RETURN_IF_ERROR(acceptor->Listen(tcp::endpoint(address, port)));
  return std::unique_ptr<Acceptor>(std::move(acceptor));
}

}  // namespace lapse::net
