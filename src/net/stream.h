// The bytes of one accepted socket, in plain text or under TLS. Hides Asio and OpenSSL from the HTTP side.
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

// Is told how what it asked of a stream went, always on the loop's thread and, but for OnOpened, never from within the
// call that asked.
class StreamListener {
 public:
  virtual ~StreamListener() = default;
  virtual void OnOpened(bool ok, bool secure) = 0;
  // `ok` with 0 bytes: the peer sends nothing more.
  virtual void OnRead(size_t count, bool ok) = 0;
  virtual void OnWritten(size_t count, bool ok) = 0;
  virtual void OnLingered() = 0;
};

// Threads: the loop's alone. Owns: the socket.
// At most one operation may be under way at a time. The listener is kept alive until it has been told of the end.
class Stream {
 public:
  using Listener = std::shared_ptr<StreamListener>;

  virtual ~Stream() = default;

  // Finds out whether the peer speaks TLS and shakes hands if so. Without TLS, calls OnOpened at once.
  virtual void Open(Listener listener) = 0;
  virtual void Read(char* space, size_t size, Listener listener) = 0;
  // Ends a read early: OnRead still comes.
  virtual void CancelRead() = 0;
  // Writes what can be written at once. Sets `count`; false when the connection is broken.
  virtual bool TryWrite(std::string_view bytes, size_t* count) = 0;
  // Writes some of the bytes, once the peer takes them.
  virtual void Write(std::string_view bytes, Listener listener) = 0;
  // Tells the peer that nothing more comes, then reads until it hangs up: closing a socket with unread bytes makes the
  // kernel reset the connection, and the peer might lose the last answer.
  virtual void Linger(Listener listener) = 0;
  // Whether the peer has hung up, without a word or with one: it sends nothing more.
  virtual bool PeerIsGone() const = 0;
  virtual void Close() = 0;
};

// Takes over the socket. `tls` may be null: plain text only.
std::shared_ptr<Stream> MakeStream(boost::asio::io_context& io, boost::asio::ssl::context* tls, int socket);

// Fails: kInvalidArgument for a certificate or key that cannot be read or do not belong together, by their names.
Result<std::shared_ptr<boost::asio::ssl::context>> MakeTlsContext(const HttpServerOptions& options);

}  // namespace lapse::net
