// The memory that a server holds while many clients are in the middle of sending a body, and after they have gone.
//
//   request_memory --port P --server-pid N --connections 1000 --body 4000000 --signed 0
//
// Every client announces a body, sends all but its last byte as fast as the server accepts it, and then waits. A signed
// client creates an item; an unsigned one is not authorised. A client that gets an answer stops sending.
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "bench/load/requests.h"
#include "bench/measure/flags.h"
#include "bench/measure/process_stats.h"
#include "bench/measure/report.h"
#include "bench/measure/timing.h"
#include "server/options.h"

namespace lapse::bench {
namespace {

// A server that has accepted nothing for this long accepts nothing more.
constexpr int64_t kQuiet_ns = 1'000'000'000;
constexpr useconds_t kPoll_us = 1000;
// Time for connections to close and memory to be released.
constexpr useconds_t kSettle_us = 3'000'000;
constexpr size_t kPieceBytes = 64 * 1024;

// The peak resident memory of a process so far.
int64_t PeakKb(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("VmHWM:")) return std::atoll(line.c_str() + 6);
  }
  return 0;
}

int Connect(uint16_t port) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (fd < 0 || connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) Fail("cannot connect");
  fcntl(fd, F_SETFL, O_NONBLOCK);
  return fd;
}

class Sender {
 public:
  Sender(uint16_t port, std::string_view head, size_t body_bytes)
      : fd_(Connect(port)), head_(head), body_left_(body_bytes - 1) {}
  ~Sender() { close(fd_); }
  Sender(Sender&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), head_(other.head_), body_left_(other.body_left_), status_(other.status_) {}

  // Returns true if any bytes were sent.
  bool SendSome(std::string_view piece) {
    if (status_ != 0) return false;
    ReadStatus();
    std::string_view next = head_.empty() ? piece.substr(0, body_left_) : head_;
    if (status_ != 0 || next.empty()) return false;
    ssize_t count = send(fd_, next.data(), next.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    if (head_.empty()) {
      body_left_ -= static_cast<size_t>(count);
    } else {
      head_.remove_prefix(static_cast<size_t>(count));
    }
    return true;
  }

  // Returns 0 if there is no answer yet.
  int ReadStatus() {
    char answer[4096];
    ssize_t count = status_ == 0 ? recv(fd_, answer, sizeof(answer), 0) : 0;
    if (count >= 12) status_ = std::atoi(answer + 9);
    return status_;
  }

 private:
  int fd_;
  std::string_view head_;
  size_t body_left_;
  int status_ = 0;
};

std::string UnsignedHead(size_t body_bytes) {
  return "POST /dbs HTTP/1.1\r\nHost: 127.0.0.1\r\ncontent-length: " + std::to_string(body_bytes) + "\r\n\r\n";
}

int Main(int argc, char** argv) {
  Flags flags(argc, argv,
              {{"port", "0"}, {"server-pid", "0"}, {"connections", "1000"}, {"body", "4000000"}, {"signed", "0"}});
  const auto port = static_cast<uint16_t>(flags.Number("port"));
  const auto pid = static_cast<pid_t>(flags.Number("server-pid"));
  const auto body_bytes = static_cast<size_t>(std::max<int64_t>(1, flags.Number("body")));
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);

  std::string head = UnsignedHead(body_bytes);
  if (flags.Number("signed") != 0) {
    RequestMaker maker(*api::cosmos::Authenticator::Create(server::kWellKnownKey, ""), RealWallClock().NowMs() / 1000);
    head = maker.MakeCreateHead(body_bytes);
  }
  const std::string piece(kPieceBytes, ' ');
  const Memory before = MemoryOf(pid);
  Memory during;
  int64_t answered = 0;
  {
    std::vector<Sender> senders;
    for (int64_t i = 0; i < flags.Number("connections"); ++i) senders.emplace_back(port, head, body_bytes);
    Stopwatch quiet;
    while (quiet.ns() < kQuiet_ns) {
      bool sent = false;
      for (Sender& sender : senders) sent |= sender.SendSome(piece);
      if (sent) {
        quiet = Stopwatch();
      } else {
        usleep(kPoll_us);
      }
    }
    during = MemoryOf(pid);
    for (Sender& sender : senders) answered += sender.ReadStatus() != 0 ? 1 : 0;
  }
  usleep(kSettle_us);
  const Memory after = MemoryOf(pid);
  Report()
      .Add("connections", flags.Number("connections"))
      .Add("answered", answered)
      .Add("before_rss_kb", before.rss_kb)
      .Add("during_rss_kb", during.rss_kb)
      .Add("peak_rss_kb", PeakKb(pid))
      .Add("after_rss_kb", after.rss_kb)
      .Print();
  return 0;
}

}  // namespace
}  // namespace lapse::bench

int main(int argc, char** argv) {
  return lapse::bench::Main(argc, argv);
}
