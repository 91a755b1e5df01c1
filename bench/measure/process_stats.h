// The resources that a process has used, from /proc.
#pragma once

#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace lapse::bench {

// CPU time of all its threads so far, in steps of a clock tick (10 ms); 0 if there is no such process.
struct ProcessTime {
  pid_t parent = 0;
  int64_t cpu_ns = 0;
};

inline ProcessTime ProcessTimeOf(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  // The second field is the program's name in parentheses and may hold blanks; the parent is the second after it, user
  // and system time are 12 and 13 after it.
  size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream fields(text.substr(name_end + 1));
  std::string skipped;
  ProcessTime time;
  fields >> skipped >> time.parent;
  for (int i = 0; i < 9; ++i) fields >> skipped;
  int64_t user = 0, system = 0;
  fields >> user >> system;
  time.cpu_ns = (user + system) * (1'000'000'000 / sysconf(_SC_CLK_TCK));
  return time;
}

inline int64_t CpuNs(pid_t pid) {
  return ProcessTimeOf(pid).cpu_ns;
}

// Also counts the child processes that still run.
inline int64_t CpuNsWithChildren(pid_t pid) {
  int64_t cpu_ns = CpuNs(pid);
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const auto other = static_cast<pid_t>(std::atoi(entry.path().filename().c_str()));
    if (other == 0) continue;
    const ProcessTime time = ProcessTimeOf(other);
    if (time.parent == pid) cpu_ns += time.cpu_ns;
  }
  return cpu_ns;
}

// CPU time of all threads of this process, with full resolution.
inline int64_t OwnCpuNs() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

// Bytes that this process has written to storage so far.
inline int64_t BytesWritten() {
  std::ifstream file("/proc/self/io");
  for (std::string name; file >> name;) {
    int64_t value = 0;
    file >> value;
    if (name == "write_bytes:") return value;
  }
  return 0;
}

struct Memory {
  int64_t rss_kb = 0;  // resident
  int64_t pss_kb = 0;  // resident, with shared pages divided among the processes that share them
};

inline Memory MemoryOf(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/smaps_rollup");
  Memory memory;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("Rss:")) memory.rss_kb = std::atoll(line.c_str() + 4);
    if (line.starts_with("Pss:")) memory.pss_kb = std::atoll(line.c_str() + 4);
  }
  return memory;
}

}  // namespace lapse::bench
