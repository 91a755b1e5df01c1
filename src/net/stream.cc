#include "net/stream.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <cerrno>
#include <optional>
#include <utility>

namespace lapse::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using ErrorCode = boost::system::error_code;
// Uses the loop's own executor type, to avoid a type-erased executor for every operation.
using Socket = asio::basic_stream_socket<tcp, asio::io_context::executor_type>;

constexpr unsigned char kTlsHandshakeRecord = 0x16;

// Buffer for bytes that are discarded, shared by all streams of a loop.
thread_local std::array<char, 16 * 1024> discarded_bytes;

class SocketStream final : public Stream, public std::enable_shared_from_this<SocketStream> {
 public:
  SocketStream(asio::io_context& io, asio::ssl::context* tls, int socket) : socket_(io), tls_context_(tls) {
    ErrorCode ignored;  // an unusable socket fails its first read
    socket_.assign(tcp::v6(), socket, ignored);
    socket_.non_blocking(true, ignored);
    socket_.set_option(tcp::no_delay(true), ignored);
  }

  void Open(Listener listener) override {
    if (tls_context_ == nullptr) {
      listener->OnOpened(true, false);
      return;
    }
    socket_.async_wait(Socket::wait_read,
                       [self = shared_from_this(), to = std::move(listener)](const ErrorCode& error) {
                         if (error) {
                           to->OnOpened(false, false);
                         } else {
                           self->TellProtocol(to);
                         }
                       });
  }

  void Read(char* space, size_t size, Listener listener) override {
    if (tls_) {
      tls_->async_read_some(asio::buffer(space, size),
                            [self = shared_from_this(), to = std::move(listener)](
                                const ErrorCode& error, size_t count) { to->OnRead(count, !error || IsEnd(error)); });
      return;
    }
    socket_.async_read_some(asio::buffer(space, size),
                            [to = std::move(listener)](const ErrorCode& error, size_t count) {
                              to->OnRead(count, !error || error == asio::error::eof);
                            });
  }

  void CancelRead() override {
    ErrorCode ignored;
    socket_.cancel(ignored);
  }

  bool TryWrite(std::string_view bytes, size_t* count) override {
    *count = 0;
    if (tls_) return true;
    const ssize_t sent = ::send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) *count = static_cast<size_t>(sent);
    return sent >= 0 || errno == EAGAIN || errno == EINTR;
  }

  void Write(std::string_view bytes, Listener listener) override {
    if (tls_) {
      tls_->async_write_some(asio::buffer(bytes.data(), bytes.size()),
                             [self = shared_from_this(), to = std::move(listener)](
                                 const ErrorCode& error, size_t count) { to->OnWritten(count, !error); });
      return;
    }
    socket_.async_write_some(
        asio::buffer(bytes.data(), bytes.size()),
        [to = std::move(listener)](const ErrorCode& error, size_t count) { to->OnWritten(count, !error); });
  }

  void Linger(Listener listener) override {
    if (!tls_) {
      EndSending();
      Discard(std::move(listener));
      return;
    }
    tls_->async_shutdown([self = shared_from_this(), to = std::move(listener)](const ErrorCode&) {
      self->EndSending();
      self->Discard(to);
    });
  }

  bool PeerIsGone() const override {
    // Asio's native_handle() is not const, although nothing changes here.
    pollfd socket{const_cast<Socket&>(socket_).native_handle(), POLLRDHUP, 0};
    return ::poll(&socket, 1, 0) > 0 && (socket.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
  }

  void Close() override {
    ErrorCode ignored;
    socket_.close(ignored);
  }

 private:
  static bool IsEnd(const ErrorCode& error) {
    // Many clients hang up without the TLS closing message. HTTP's own framing tells whether a request is complete.
    return error == asio::error::eof || error == asio::ssl::error::stream_truncated;
  }

  void TellProtocol(const Listener& listener) {
    unsigned char first = 0;
    const ssize_t count = ::recv(socket_.native_handle(), &first, 1, MSG_PEEK);
    if (count != 1 || first != kTlsHandshakeRecord) {
      listener->OnOpened(count >= 0, false);
      return;
    }
    tls_.emplace(socket_, *tls_context_);
    tls_->async_handshake(
        asio::ssl::stream_base::server,
        [self = shared_from_this(), listener](const ErrorCode& error) { listener->OnOpened(!error, true); });
  }

  void EndSending() {
    ErrorCode ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
  }

  void Discard(Listener listener) {
    socket_.async_read_some(asio::buffer(discarded_bytes),
                            [self = shared_from_this(), to = std::move(listener)](const ErrorCode& error, size_t) {
                              if (error) {
                                to->OnLingered();
                              } else {
                                self->Discard(to);
                              }
                            });
  }

  Socket socket_;
  asio::ssl::context* const tls_context_;
  std::optional<asio::ssl::stream<Socket&>> tls_;
};

}  // namespace

std::shared_ptr<Stream> MakeStream(asio::io_context& io, asio::ssl::context* tls, int socket) {
  return std::make_shared<SocketStream>(io, tls, socket);
}

Result<std::shared_ptr<asio::ssl::context>> MakeTlsContext(const HttpServerOptions& options) try {
  auto context = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
  SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_2_VERSION);
  // Otherwise a peer could make us repeat the costly half of a handshake on one connection.
  SSL_CTX_set_options(context->native_handle(), SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_mode(context->native_handle(), SSL_MODE_RELEASE_BUFFERS);
  // Makes an encrypted key fail rather than ask for its password on the terminal.
  context->set_password_callback([](size_t, asio::ssl::context::password_purpose) { return std::string(); });
  ErrorCode error;
  context->use_certificate_chain(asio::buffer(options.tls_cert_pem), error);
  if (error) return Status(Code::kInvalidArgument, options.tls_cert_name + " cannot be read: " + error.message());
  context->use_private_key(asio::buffer(options.tls_key_pem), asio::ssl::context::pem, error);
  if (error)
    return Status(Code::kInvalidArgument, options.tls_key_name + " cannot be read or does not fit: " + error.message());
  return context;
} catch (const boost::system::system_error& error) {
  return Status(Code::kInternal, std::string("TLS cannot be set up: ") + error.what());
}

}  // namespace lapse::net
