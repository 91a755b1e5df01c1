// A closed loop over keep-alive connections: each sends a request, waits for its answer, and sends the next.
#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/load/answer.h"
#include "bench/measure/report.h"
#include "bench/measure/timing.h"

namespace lapse::bench {

struct LoopResult {
  Latencies latencies;
  std::map<int, int64_t> answers;  // by status
  std::string first_answer;
  int64_t body_bytes = 0;
};

// Threads: one. Owns: its connections, which stay open from run to run. Fails: ends the program if a server closes a
// connection or an answer cannot be read, since the measurement would then be meaningless.
class ClosedLoop {
 public:
  ClosedLoop(uint16_t port, int connections) : epoll_fd_(epoll_create1(0)), connections_(connections) {
    for (Connection& connection : connections_) {
      connection.fd = Connect(port);
      epoll_event event{.events = EPOLLIN, .data = {.ptr = &connection}};
      if (epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, connection.fd, &event) != 0) Fail("epoll_ctl failed");
    }
  }
  ~ClosedLoop() {
    for (Connection& connection : connections_) close(connection.fd);
    close(epoll_fd_);
  }
  ClosedLoop(const ClosedLoop&) = delete;
  ClosedLoop& operator=(const ClosedLoop&) = delete;

  // Sends every request once. Returns when all are answered.
  void Run(const std::vector<std::string>& requests, LoopResult* result) {
    requests_ = &requests;
    next_ = answered_ = 0;
    for (Connection& connection : connections_) SendNext(connection);
    std::array<epoll_event, 256> events;
    while (answered_ < requests.size()) {
      int count = epoll_wait(epoll_fd_, events.data(), static_cast<int>(events.size()), kAnswerMax_ms);
      if (count == 0) Fail("no answer within a minute");
      for (int i = 0; i < count; ++i) {
        auto& connection = *static_cast<Connection*>(events[static_cast<size_t>(i)].data.ptr);
        if (Receive(connection, result)) SendNext(connection);
      }
    }
  }

 private:
  static constexpr int kAnswerMax_ms = 60'000;
  static constexpr size_t kBufferBytes = 64 << 10;

  struct Connection {
    int fd = -1;
    int64_t sent_ns = 0;
    size_t received = 0;
    std::string buffer = std::string(kBufferBytes, '\0');
  };

  static int Connect(uint16_t port) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) Fail("cannot connect");
    return fd;
  }

  // A request of some kilobytes always fits in an idle connection's send buffer; for larger ones this waits.
  void SendNext(Connection& connection) {
    if (next_ == requests_->size()) return;
    const std::string& request = (*requests_)[next_++];
    connection.sent_ns = SteadyNs();
    ssize_t sent = send(connection.fd, request.data(), request.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(request.size())) Fail("cannot send");
  }

  // Returns true once the answer is complete.
  bool Receive(Connection& connection, LoopResult* result) {
    ssize_t got = recv(connection.fd, connection.buffer.data() + connection.received,
                       connection.buffer.size() - connection.received, 0);
    if (got <= 0) Fail(got == 0 ? "the server closed a connection" : "cannot receive");
    connection.received += static_cast<size_t>(got);
    std::string_view bytes(connection.buffer.data(), connection.received);
    Answer answer;
    if (!ParseAnswer(bytes, &answer)) {
      if (connection.received == connection.buffer.size()) Fail("an answer is too long");
      return false;
    }
    result->latencies.Add(SteadyNs() - connection.sent_ns);
    ++result->answers[answer.status];
    result->body_bytes += static_cast<int64_t>(answer.body_bytes);
    if (result->first_answer.empty()) result->first_answer = bytes;
    connection.received = 0;
    ++answered_;
    return true;
  }

  const int epoll_fd_;
  std::vector<Connection> connections_;
  const std::vector<std::string>* requests_ = nullptr;
  size_t next_ = 0;
  size_t answered_ = 0;
};

}  // namespace lapse::bench
