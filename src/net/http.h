// HTTP/1.1 as the server sees it: requests, responses and handlers. No socket types here.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapse::net {

struct HeaderField {
  std::string_view name;   // as received
  std::string_view value;  // without surrounding blanks
};

// A request. All views point into the connection's buffer and stay valid until the request is answered.
struct Request {
  std::string_view method;  // "GET", as received
  std::string_view path;    // target up to '?', still percent-encoded
  std::string_view query;   // after '?', still percent-encoded
  std::vector<HeaderField> headers;
  std::string_view body;       // a chunked body is already decoded
  bool secure = false;         // received over TLS
  bool peer_loopback = false;  // the peer's address is a loopback address

  // Returns the first value of that name, or an empty one. Ignores case; `name` must be in lower case.
  std::string_view Header(std::string_view name) const;
  bool HasHeader(std::string_view name) const;
  // Returns the name, as received, of a header that appears more than once although `has_one_value` forbids it. Returns
  // an empty name if there is none.
  std::string_view RepeatedHeader(bool (*has_one_value)(std::string_view name)) const;
};

// The answer to one request. A connection reuses it for every request, so that filling it allocates little. The server
// adds Content-Length, Connection and Date.
class Response {
 public:
  void Reset();

  void set_status(int status) { status_ = status; }
  int status() const { return status_; }
  // Drops CR and LF from the value.
  void AddHeader(std::string_view name, std::string_view value);
  void AddHeader(std::string_view name, int64_t value);
  const std::string& header_lines() const { return header_lines_; }  // "name: value\r\n" each
  std::string& body() { return body_; }
  const std::string& body() const { return body_; }
  // Declares that the request changed nothing, so the client can safely retry it. The server may then answer 503
  // instead when memory is short. The server itself sets this for GET and HEAD.
  void set_safe(bool safe) { safe_ = safe; }
  bool safe() const { return safe_; }

 private:
  int status_ = 200;
  bool safe_ = false;
  std::string header_lines_;
  std::string body_;
};

// The right and duty to answer one request. Movable. Answer exactly once, from any thread. A Responder dropped
// unanswered answers 500.
class Responder {
 public:
  // The connection behind it.
  class Sink {
   public:
    virtual ~Sink() = default;
    virtual Response& response() = 0;
    virtual void Send() = 0;  // from any thread
    // See Responder::SendOneOfMany.
    virtual std::function<void()> SendOneOfMany() {
      Send();
      return {};
    }
    // Whether the peer is known to have hung up. Callable from any thread.
    virtual bool PeerIsGone() const { return false; }
    // Answers 500, because the responder was dropped unanswered. Callable from any thread.
    virtual void Abandon();
  };

  explicit Responder(std::shared_ptr<Sink> sink) : sink_(std::move(sink)) {}
  // Returns a responder whose answer goes to `response`, which must outlive it. For Handler::Admit.
  static Responder Into(Response* response);
  ~Responder();
  Responder(Responder&&) noexcept = default;
  Responder& operator=(Responder&&) = delete;

  Response& response() { return sink_->response(); }
  void Send();
  // Sends one of several answers that this thread has at once. May return a function, which the thread must call after
  // the last of them to wake the loop that sends them.
  [[nodiscard]] std::function<void()> SendOneOfMany();
  // The peer no longer waits for the answer. Long work may stop, but must still answer.
  bool PeerIsGone() const { return sink_->PeerIsGone(); }

 private:
  std::shared_ptr<Sink> sink_;
};

// Both functions are called on an event loop.
class Handler {
 public:
  virtual ~Handler() = default;

  // Decides whether to read the body of a request whose head has arrived without all of its body. Unauthorized clients
  // must not make the server hold megabytes, so this checks everything that does not need the body. `head.body` is
  // empty. If it returns false, the server sends `refusal` at once and closes the connection. Must be quick, and must
  // not keep `head`. Requests that arrive in one piece go directly to Handle, so Handle must do all checks itself.
  virtual bool Admit(const Request& head, Response& refusal) = 0;

  // Handles a complete request. Answer quick ones at once; otherwise move the responder to a thread that may block. The
  // request stays valid until it is answered.
  virtual void Handle(const Request& request, Responder responder) = 0;
};

std::string_view ReasonPhrase(int status);

}  // namespace lapse::net
