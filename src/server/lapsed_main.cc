// The server program: reads options, handles signals, prints one line when it is ready, and shuts down cleanly.
#include <pthread.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdio>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/log.h"
#include "server/descriptor_limit.h"
#include "server/options.h"
#include "server/server.h"

namespace lapse::server {
namespace {

constexpr int kStartFailed = 1;

std::string_view SignalName(int signal) {
  return signal == SIGTERM ? "SIGTERM" : signal == SIGINT ? "SIGINT" : "SIGHUP";
}

// The signals that ask the server to stop. Every thread blocks them, so that only Wait takes them.
class StopSignals {
 public:
  StopSignals() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGTERM);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGHUP);  // the terminal is gone
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    std::signal(SIGPIPE, SIG_IGN);  // a peer that hangs up fails only one write
  }

  int Wait() const {
    int signal = 0;
    sigwait(&signals_, &signal);
    return signal;
  }

  // From now on the next signal ends the process at once.
  void Release() const { pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr); }

 private:
  sigset_t signals_;
};

void LogReady(const Server& server, const ServerOptions& options, int64_t start_ms) {
  Log(LogLevel::kInfo, "ready",
      {{"endpoint", server.endpoint()},
       {"connection_string", server.connection_string()},
       {"data_dir", options.in_memory ? "(memory)" : options.data_dir.c_str()},
       {"test_clock", options.test_clock},
       {"start_ms", start_ms}});
}

// RocksDB creates files that everyone may read. Their contents are for the owner of the directory alone.
constexpr mode_t kClosedToOthers = 0077;

int Run(const ServerOptions& options, ReadOptions read_options) {
  ::umask(kClosedToOthers);
  int64_t begin_ns = RealSteadyClock().NowNs();
  SetLogLevel(options.log_level);
  RaiseDescriptorLimit();
  StopSignals signals;
  Result<std::unique_ptr<Server>> server = Server::Start(options, std::move(read_options));
  if (!server.ok()) {
    std::fprintf(stderr, "lapsed: %s\n", server.status().message().c_str());
    return kStartFailed;
  }
  LogReady(**server, options, (RealSteadyClock().NowNs() - begin_ns) / 1'000'000);
  int signal = signals.Wait();
  signals.Release();
  Log(LogLevel::kInfo, "stopping", {{"signal", SignalName(signal)}});
  (*server)->Stop();
  Log(LogLevel::kInfo, "stopped");
  return 0;
}

}  // namespace
}  // namespace lapse::server

int main(int argc, char** argv) {
  const auto read = [argc, argv] {
    return lapse::server::ParseOptions(argc, argv, lapse::server::ProcessEnvironment(), lapse::server::ThisMachine());
  };
  lapse::server::ParsedOptions parsed = read();
  if (!parsed.options) {
    std::fputs(parsed.text.c_str(), parsed.exit_code == 0 ? stdout : stderr);
    return parsed.exit_code;
  }
  return lapse::server::Run(*parsed.options, [read]() -> lapse::Result<lapse::server::ServerOptions> {
    lapse::server::ParsedOptions again = read();
    if (again.options) return *again.options;
    // The first line says what is wrong. The others are for people at a terminal.
    return lapse::Status(lapse::Code::kInvalidArgument, again.text.substr(0, again.text.find('\n')));
  });
}
