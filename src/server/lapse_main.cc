#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <thread>

#include "server/client/commands.h"

int main(int argc, char** argv) {
  ::umask(0077);  // repairing a data directory leaves files that only its owner may read
  lapse::server::client::Console console;
  console.is_terminal = ::isatty(STDOUT_FILENO) != 0;
  console.wait = [](int64_t ms) {
    std::chrono::milliseconds pause(ms);
    std::this_thread::sleep_for(pause);  // NOLINT(lapse-tidy): a live view waits for time alone
  };
  return lapse::server::client::RunCommand(argc, argv, lapse::server::ProcessEnvironment(), std::cout, std::cerr,
                                           console);
}
