// HTTP/1.1 as the server sees it: a request, an answer to fill in, and who answers. No socket types here.
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
  std::string_view name;   // as it came
  std::string_view value;  // without surrounding blanks
};

// A request. All views point into the connection's buffer and stay valid until the request is answered.
struct Request {
  std::string_view method;  // "GET", as it came
  std::string_view path;    // target up to '?', still percent-encoded
  std::string_view query;   // after '?', still percent-encoded
  std::vector<HeaderField> headers;
  std::string_view body;       // chunked bodies are already put together
  bool secure = false;         // came over TLS
  bool peer_loopback = false;  // the peer's address is a loopback address

  // First value of that name (case ignored, `name` in lower case); empty when absent.
  std::string_view Header(std::string_view name) const;
  bool HasHeader(std::string_view name) const;
  // The name, as it came, of a header that is there more than once although `has_one_value` says that it must not be;
  // empty when there is none.
  std::string_view RepeatedHeader(bool (*has_one_value)(std::string_view name)) const;
};

// The answer to one request; reused from request to request on a connection, so filling it allocates little. The server
// adds Content-Length, Connection and Date itself.
class Response {
 public:
  void Reset();

  void set_status(int status) { status_ = status; }
  int status() const { return status_; }
  // The value must not hold CR or LF; such bytes are dropped.
  void AddHeader(std::string_view name, std::string_view value);
  void AddHeader(std::string_view name, int64_t value);
  const std::string& header_lines() const { return header_lines_; }  // "name: value\r\n" each
  std::string& body() { return body_; }
  const std::string& body() const { return body_; }
  // The request changed nothing, so that the client may simply send it again: the server may answer 503 instead when
  // memory is short. The server sets it for GET and HEAD itself.
  void set_safe(bool safe) { safe_ = safe; }
  bool safe() const { return safe_; }

 private:
  int status_ = 200;
  bool safe_ = false;
  std::string header_lines_;
  std::string body_;
};

// The right and the duty to answer one request. Movable; answer exactly once, from any thread. Dropping it unanswered
// answers 500.
class Responder {
 public:
  // The connection behind it.
  class Sink {
   public:
    virtual ~Sink() = default;
    virtual Response& response() = 0;
    virtual void Send() = 0;  // from any thread
    // See Responder.
    virtual std::function<void()> SendOneOfMany() {
      Send();
      return {};
    }
    // The peer has hung up, as far as is known. From any thread.
    virtual bool PeerIsGone() const { return false; }
    // The responder was dropped unanswered: answers 500. From any thread.
    virtual void Abandon();
  };

  explicit Responder(std::shared_ptr<Sink> sink) : sink_(std::move(sink)) {}
  // One whose answer stays in `response`, which must outlive it: for Handler::Admit.
  static Responder Into(Response* response);
  ~Responder();
  Responder(Responder&&) noexcept = default;
  Responder& operator=(Responder&&) = delete;

  Response& response() { return sink_->response(); }
  void Send();
  // For one of many answers that this thread has at once: returns what it must do after the last of them, to wake who
  // sends them. Empty: nothing.
  [[nodiscard]] std::function<void()> SendOneOfMany();
  // Nobody waits for the answer any more: long work may end, and must answer all the same.
  bool PeerIsGone() const { return sink_->PeerIsGone(); }

 private:
  std::shared_ptr<Sink> sink_;
};

// Both functions are called on an event loop.
class Handler {
 public:
  virtual ~Handler() = default;

  // Asked when the head of a request has come and its body, or the rest of it, has not: may the body be read? A client
  // that may not ask at all must not make the server hold megabytes, so whatever can be judged without the body is
  // judged here. `head.body` is empty. False: the answer is in `refusal`; it is sent at once, and the connection ends
  // with it. Must be quick and must not keep `head`.
  // A request that comes in one piece goes to Handle without this question, so Handle judges everything by itself.
  virtual bool Admit(const Request& head, Response& refusal) = 0;

  // The whole request. Answer at once when it is quick, otherwise move the responder to a thread that may block. The
  // request stays valid until it is answered.
  virtual void Handle(const Request& request, Responder responder) = 0;
};

std::string_view ReasonPhrase(int status);

}  // namespace lapse::net
