// The HTTP server: event loops that own connections, HTTP/1.1 with keep-alive and pipelining. TLS and plain text share
// a port and are told apart by the first byte.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "net/http.h"

namespace lapse::net {

struct HttpServerOptions {
  std::string host = "127.0.0.1";  // an address, or "localhost"
  uint16_t port = 0;               // 0: any free port
  int threads = 1;                 // event loops
  std::string tls_cert_pem;        // both empty: plain text only
  std::string tls_key_pem;
  std::string tls_cert_name = "The TLS certificate";  // this name and the next are for errors
  std::string tls_key_name = "The TLS key";
  // At the limit, a new connection replaces the idle one that is nearest to its time limit. If its loop has no idle
  // connection, it gets a 503.
  int connections_max = 10'000;
  size_t header_bytes_max = 64 * 1024;
  size_t headers_max = 100;
  size_t body_bytes_max = 4 * 1024 * 1024 + 64 * 1024;  // larger bodies get a 413 before they are read
  // Memory of all connections for incoming requests and unsent answers, in addition to three times
  // MemoryShare::kFreeBytes per connection. Beyond it the server answers 503: to a request that does not fit, and in
  // place of an answer that does not fit if its request changed nothing.
  size_t memory_bytes_max = size_t{256} << 20;
  // Called on an event loop after a burst of memory use, for example to return pages to the system. May be null. Must
  // be quick.
  std::function<void()> on_memory_calm;
  // Called on each event loop a few times a second. May be null. Must be quick.
  std::function<void()> on_tick;
  // From the connection to the first byte of its first request, and from the first byte of each request to the end of
  // its headers.
  int header_timeout_ms = 10'000;
  int body_timeout_ms = 30'000;   // from the end of the headers to the end of the body
  int idle_timeout_ms = 300'000;  // between requests on a kept-alive connection
  int write_timeout_ms = 30'000;  // while the peer does not accept an answer
  // Fills the response to an error that the framing layer reports itself: 400, 408, 413, 414, 417, 431, 501, 503, 505,
  // and 500 for a request that got no answer. Null: a plain text body. Called on the event loops.
  std::function<void(int status, std::string_view reason, Response& response)> make_error;
};

// Threads: any. Owns: its threads and connections.
class HttpServer {
 public:
  // Binds and starts serving. `handler` must outlive the server.
  // Fails: kUnavailable when the address cannot be bound, kInvalidArgument for a bad certificate, key or host.
  static Result<std::unique_ptr<HttpServer>> Start(HttpServerOptions options, Handler* handler);

  // Stops accepting, lets requests in flight finish for at most `grace_ms`, then closes everything and joins.
  virtual void Stop(int grace_ms) = 0;
  virtual uint16_t port() const = 0;
  virtual int64_t connections() const = 0;
  // The part of `memory_bytes_max` in use.
  virtual size_t memory_held() const = 0;
  virtual ~HttpServer() = default;
};

struct SelfSignedPair {
  std::string cert_pem;
  std::string key_pem;
};
// Makes a certificate for localhost, 127.0.0.1, ::1 and the extra names, without duplicates, valid for ten years.
Result<SelfSignedPair> MakeSelfSigned(const std::vector<std::string>& extra_names);

}  // namespace lapse::net
