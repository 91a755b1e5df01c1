// How long the server takes from its start to its first answer, on an empty directory, and how much memory it holds
// when idle.
//
//   startup --program build/release/lapsed --dir DIR --starts 20
//
// Every start gets a directory of its own under DIR. The clock runs from before the fork to the end of the answer to
// GET /_lapse/health.
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bench/load/answer.h"
#include "bench/measure/flags.h"
#include "bench/measure/process_stats.h"
#include "bench/measure/report.h"
#include "bench/measure/timing.h"

namespace lapse::bench {
namespace {

constexpr int64_t kStartMax_ns = 30'000'000'000;
// Often enough to add little to the figure, rarely enough to leave the server its core.
constexpr useconds_t kPoll_us = 200;
// Time for allocators and first-use work to settle.
constexpr useconds_t kIdle_us = 2'000'000;

sockaddr_in Loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// Returns a port that was free just now. The server takes it before another process is likely to.
uint16_t FreePort() {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof(address);
  if (bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    Fail("no free port");
  }
  close(fd);
  return ntohs(address.sin_port);
}

// Returns true once the server answers 200.
bool AskHealth(uint16_t port) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = Loopback(port);
  std::string received;
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0) {
    constexpr std::string_view kRequest = "GET /_lapse/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    char buffer[4096];
    Answer answer;
    ssize_t got = send(fd, kRequest.data(), kRequest.size(), MSG_NOSIGNAL);
    while (got > 0 && !ParseAnswer(received, &answer)) {
      got = recv(fd, buffer, sizeof(buffer), 0);
      if (got > 0) received.append(buffer, static_cast<size_t>(got));
    }
  }
  close(fd);
  return received.starts_with("HTTP/1.1 200");
}

// Owns: the process; the destructor ends it.
class Server {
 public:
  Server(const std::string& program, const std::string& dir) : port_(FreePort()) {
    std::string port = std::to_string(port_);
    const char* arguments[] = {program.c_str(), "--data-dir", dir.c_str(),   "--port", port.c_str(),
                               "--threads",     "1",          "--log-level", "warn",   nullptr};
    Stopwatch watch;
    pid_ = fork();
    if (pid_ == 0) {
      execv(program.c_str(), const_cast<char**>(arguments));
      _exit(127);
    }
    while (!AskHealth(port_)) {
      if (watch.ns() > kStartMax_ns || waitpid(pid_, nullptr, WNOHANG) != 0) Fail("the server did not start");
      usleep(kPoll_us);
    }
    ready_ns_ = watch.ns();
  }
  ~Server() {
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  pid_t pid() const { return pid_; }
  int64_t ready_ns() const { return ready_ns_; }

 private:
  const uint16_t port_;
  pid_t pid_ = -1;
  int64_t ready_ns_ = 0;
};

int Main(int argc, char** argv) {
  Flags flags(argc, argv, {{"program", ""}, {"dir", ""}, {"starts", "20"}});
  Latencies ready;
  Memory idle;
  for (int64_t i = 0; i < flags.Number("starts"); ++i) {
    std::string dir = flags.Text("dir") + "/start-" + std::to_string(i);
    {
      Server server(flags.Text("program"), dir);
      ready.Add(server.ready_ns());
      if (i == 0) {
        usleep(kIdle_us);
        idle = MemoryOf(server.pid());
      }
    }
    std::filesystem::remove_all(dir);
  }
  Report()
      .Add("starts", flags.Number("starts"))
      .Add("median_ns", ready.Percentile(0.5))
      .Add("max_ns", ready.Percentile(1))
      .Add("idle_rss_kb", idle.rss_kb)
      .Add("idle_pss_kb", idle.pss_kb)
      .Print();
  return 0;
}

}  // namespace
}  // namespace lapse::bench

int main(int argc, char** argv) {
  return lapse::bench::Main(argc, argv);
}
