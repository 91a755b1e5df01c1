// For tests: a blocking HTTP client that sends exactly the bytes it is given, and a handler made from a function.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "net/http.h"
#include "net/http_server.h"

namespace lapse::net {

inline constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

class FunctionHandler final : public Handler {
 public:
  using Function = std::function<void(const Request&, Responder)>;
  using Admission = std::function<bool(const Request& head, Response& refusal)>;
  explicit FunctionHandler(
      Function function, Admission admission = [](const Request&, Response&) { return true; })
      : function_(std::move(function)), admission_(std::move(admission)) {}
  bool Admit(const Request& head, Response& refusal) override { return admission_(head, refusal); }
  void Handle(const Request& request, Responder responder) override { function_(request, std::move(responder)); }

 private:
  const Function function_;
  const Admission admission_;
};

struct Answer {
  int status = 0;  // 0: the connection ended without an answer
  std::string head;
  std::string body;

  bool Has(std::string_view line) const { return head.find("\r\n" + std::string(line) + "\r\n") != std::string::npos; }
};

class TestClient {
 public:
  explicit TestClient(uint16_t port, bool v6 = false) : socket_(::socket(v6 ? AF_INET6 : AF_INET, SOCK_STREAM, 0)) {
    const timeval limit{20, 0};  // makes a test that waits for missing bytes fail rather than hang
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    sockaddr_in address_v4{};
    address_v4.sin_family = AF_INET;
    address_v4.sin_port = htons(port);
    address_v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sockaddr_in6 address_v6{};
    address_v6.sin6_family = AF_INET6;
    address_v6.sin6_port = htons(port);
    address_v6.sin6_addr = in6addr_loopback;
    const auto* address = v6 ? reinterpret_cast<sockaddr*>(&address_v6) : reinterpret_cast<sockaddr*>(&address_v4);
    connected_ = ::connect(socket_, address, v6 ? sizeof(address_v6) : sizeof(address_v4)) == 0;
  }
  virtual ~TestClient() { ::close(socket_); }
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;

  bool connected() const { return connected_; }
  int socket() const { return socket_; }

  // Returns false if the server does not accept all bytes.
  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = WriteSome(bytes);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(count));
    }
    return true;
  }

  void FinishSending() const { ::shutdown(socket_, SHUT_WR); }

  // Returns the next answer, including interim ones. `to_head`: no body follows, whatever the length says.
  Answer Receive(bool to_head = false) {
    Answer answer;
    size_t head_end = 0;
    while ((head_end = received_.find("\r\n\r\n")) == std::string::npos) {
      if (!ReceiveSome()) return answer;
    }
    head_end += 4;
    answer.head = received_.substr(0, head_end);
    const size_t length = to_head ? 0 : ContentLength(answer.head);
    while (received_.size() < head_end + length) {
      if (!ReceiveSome()) return answer;
    }
    answer.body = received_.substr(head_end, length);
    answer.status = std::stoi(answer.head.substr(9, 3));
    received_.erase(0, head_end + length);
    return answer;
  }

  Answer Exchange(std::string_view bytes) {
    Send(bytes);
    return Receive();
  }

  // Returns all bytes until the server hangs up, which it must.
  std::string ReceiveToEnd() {
    while (ReceiveSome()) {
    }
    return std::exchange(received_, {});
  }

  // Whether the server has hung up in any way without sending more.
  bool AtEnd() { return ReceiveToEnd().empty() && ended_; }

 protected:
  virtual ssize_t ReadSome(char* space, size_t size) { return ::recv(socket_, space, size, 0); }
  virtual ssize_t WriteSome(std::string_view bytes) {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }

 private:
  static size_t ContentLength(const std::string& head) {
    constexpr std::string_view kName = "\r\nContent-Length: ";
    const size_t found = head.find(kName);
    return found == std::string::npos ? 0 : std::stoul(head.substr(found + kName.size()));
  }

  bool ReceiveSome() {
    char space[16 * 1024];
    const ssize_t count = ReadSome(space, sizeof(space));
    if (count > 0) received_.append(space, static_cast<size_t>(count));
    ended_ = count == 0 || (count < 0 && errno != EAGAIN);
    return count > 0;
  }

  int socket_;
  bool connected_ = false;
  bool ended_ = false;
  std::string received_;
};

// Answers with the request: "method path query body".
inline void Echo(const Request& request, Responder responder) {
  std::string& body = responder.response().body();
  body.append(request.method).append(" ").append(request.path).append(" ").append(request.query).append(" ");
  body.append(request.body);
  responder.Send();
}

// A server for one test.
class TestServer {
 public:
  explicit TestServer(FunctionHandler::Function function = Echo, HttpServerOptions options = {})
      : TestServer(FunctionHandler(std::move(function)), std::move(options)) {}
  explicit TestServer(FunctionHandler handler, HttpServerOptions options = {}) : handler_(std::move(handler)) {
    auto started = HttpServer::Start(std::move(options), &handler_);
    if (started.ok()) server_ = *std::move(started);
  }

  HttpServer* operator->() { return server_.get(); }
  bool started() const { return server_ != nullptr; }
  uint16_t port() const { return server_ == nullptr ? 0 : server_->port(); }

 private:
  FunctionHandler handler_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace lapse::net
