#include "net/acceptor.h"

#include <sys/socket.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <chrono>
#include <utility>

#include "base/log.h"
#include "net/peer_address.h"

namespace lapse::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using ErrorCode = boost::system::error_code;

// Between two looks at the connections that are served already.
constexpr int kAcceptBurst = 64;
// When descriptors or memory have run out, trying again at once would only burn time.
constexpr std::chrono::milliseconds kPause{100};

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

  // False when resources have run out.
  bool AcceptSome() {
    for (int i = 0; i < kAcceptBurst; ++i) {
      sockaddr_storage storage{};
      auto* peer = reinterpret_cast<sockaddr*>(&storage);
      socklen_t size = sizeof(storage);
      const int socket = ::accept4(acceptor_.native_handle(), peer, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (socket >= 0) {
        on_accepted_(socket, IsLoopback(peer));
      } else if (IsShortage(errno)) {
        Log(LogLevel::kWarn, "accept_failed",
            {{"error", ErrorCode(errno, boost::system::system_category()).message()}});
        return false;
      } else if (errno == EAGAIN) {
        return true;
      }
    }
    return true;
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
