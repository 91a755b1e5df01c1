// The byte stream of an accepted socket, in plain text or over TLS. Hides Asio and OpenSSL from the HTTP code.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "net/http_server.h"

namespace boost::asio {
class io_context;
namespace ssl {
class context;
}
}  // namespace boost::asio

namespace lapse::net {

// Receives the results of a stream's operations, always on the loop's thread. Only OnOpened may be called from within
// the call that started the operation.
class StreamListener {
 public:
  virtual ~StreamListener() = default;
  virtual void OnOpened(bool ok, bool secure) = 0;
  // `ok` with 0 bytes means that the peer sends nothing more.
  virtual void OnRead(size_t count, bool ok) = 0;
  virtual void OnWritten(size_t count, bool ok) = 0;
  virtual void OnLingered() = 0;
};

// At most one operation may be in flight at a time. The listener is kept alive until it has received the result.
// Threads: the loop's alone.
// Owns: the socket.
class Stream {
 public:
  using Listener = std::shared_ptr<StreamListener>;

  virtual ~Stream() = default;

  // Detects whether the peer speaks TLS, and if so performs the handshake. Without TLS, calls OnOpened at once.
  virtual void Open(Listener listener) = 0;
  virtual void Read(char* space, size_t size, Listener listener) = 0;
  // Ends a read early. OnRead is still called.
  virtual void CancelRead() = 0;
  // Writes what can be written at once, and sets `count`. Returns false if the connection is broken.
  virtual bool TryWrite(std::string_view bytes, size_t* count) = 0;
  // Writes some of the bytes once the peer accepts them.
  virtual void Write(std::string_view bytes, Listener listener) = 0;
  // Shuts down sending, then reads until the peer hangs up. Closing a socket with unread bytes would make the kernel
  // reset the connection, and the peer might lose the last answer.
  virtual void Linger(Listener listener) = 0;
  // Whether the peer sends nothing more, after an orderly close or a reset.
  virtual bool PeerIsGone() const = 0;
  virtual void Close() = 0;
};

// Takes over the socket. A null `tls` means plain text only.
std::shared_ptr<Stream> MakeStream(boost::asio::io_context& io, boost::asio::ssl::context* tls, int socket);

// Fails: kInvalidArgument for a certificate or key that cannot be read or do not match. The message has their names.
Result<std::shared_ptr<boost::asio::ssl::context>> MakeTlsContext(const HttpServerOptions& options);

}  // namespace lapse::net
