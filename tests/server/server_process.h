// The built server as a process of its own, for tests that need one: exit codes, signals, restarts.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "server/client/http_client.h"

namespace lapse::tests {

// The program's path, from $LAPSED; empty when the tests run without it.
std::string ServerProgram();

// Owns: the process, which the destructor kills if it still runs.
class ServerProcess {
 public:
  // Whether the server gets those variables of this process that could set its options.
  enum class Variables { kLeftOut, kInherited };

  // Starts on a free port unless the arguments name one, and returns once the server is ready or gone.
  explicit ServerProcess(std::vector<std::string> arguments, Variables variables = Variables::kLeftOut);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  bool ready() const { return port_ != 0; }
  uint16_t port() const { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  // Everything that the server has written to standard error.
  std::string log() const;

  void Signal(int signal) const;
  // Waits for the end. Returns the exit code, or -1 if a signal killed the process.
  int Wait();

  Result<server::client::HttpReply> Get(const std::string& path);
  Result<server::client::HttpReply> Post(const std::string& path, const std::string& json);

 private:
  void ReadLog(int fd);
  void WaitUntilReady();

  pid_t pid_ = -1;
  uint16_t port_ = 0;
  std::thread reader_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string log_;         // guarded by mutex_
  bool log_ended_ = false;  // guarded by mutex_
};

}  // namespace lapse::tests
