#include "tests/server/server_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace lapse::tests {
namespace {

// Returns the port in "... info ready endpoint=http://127.0.0.1:41234/ ...", once the whole line is there.
uint16_t FindPort(const std::string& log) {
  size_t ready = log.find(" ready endpoint=");
  if (ready == std::string::npos || log.find('\n', ready) == std::string::npos) return 0;
  size_t scheme_end = log.find("://", ready) + 3;
  return static_cast<uint16_t>(std::atoi(log.c_str() + log.find(':', scheme_end) + 1));
}

}  // namespace

std::string ServerProgram() {
  const char* path = std::getenv("LAPSED");
  return path == nullptr ? "" : path;
}

ServerProcess::ServerProcess(std::vector<std::string> arguments, Variables variables) {
  arguments.insert(arguments.begin(), ServerProgram());
  if (std::find(arguments.begin(), arguments.end(), "--port") == arguments.end()) {
    arguments.insert(arguments.end(), {"--port", "0"});
  }
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::vector<char*> environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const bool is_option = std::string_view(*variable).starts_with("LAPSE_");
    if (!is_option || variables == Variables::kInherited) environment.push_back(*variable);
  }
  environment.push_back(nullptr);

  int log_pipe[2];
  if (::pipe2(log_pipe, O_CLOEXEC) != 0) std::abort();
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(log_pipe[1], STDERR_FILENO);
    ::execve(argv[0], argv.data(), environment.data());
    ::_exit(127);
  }
  ::close(log_pipe[1]);
  reader_ = std::thread([this, fd = log_pipe[0]] { ReadLog(fd); });
  WaitUntilReady();
}

ServerProcess::~ServerProcess() {
  if (pid_ > 0) {
    Signal(SIGKILL);
    Wait();
  }
  reader_.join();
}

void ServerProcess::ReadLog(int fd) {
  char buffer[4096];
  ssize_t count = 0;
  while ((count = ::read(fd, buffer, sizeof(buffer))) > 0) {
    std::lock_guard lock(mutex_);
    log_.append(buffer, static_cast<size_t>(count));
    changed_.notify_all();
  }
  ::close(fd);
  std::lock_guard lock(mutex_);
  log_ended_ = true;
  changed_.notify_all();
}

void ServerProcess::WaitUntilReady() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return log_ended_ || FindPort(log_) != 0; });
  port_ = FindPort(log_);
}

std::string ServerProcess::log() const {
  std::lock_guard lock(mutex_);
  return log_;
}

void ServerProcess::Signal(int signal) const {
  ::kill(pid_, signal);
}

int ServerProcess::Wait() {
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return log_ended_; });
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Result<server::client::HttpReply> ServerProcess::Get(const std::string& path) {
  return server::client::Send({"127.0.0.1", port_}, {.method = "GET", .path = path, .bearer = "", .json = ""});
}

Result<server::client::HttpReply> ServerProcess::Post(const std::string& path, const std::string& json) {
  return server::client::Send({"127.0.0.1", port_}, {.method = "POST", .path = path, .bearer = "", .json = json});
}

}  // namespace lapse::tests
