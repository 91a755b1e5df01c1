// Loaded before a server starts (LD_PRELOAD): every sync of its files takes 20 ms longer, as on a slow disk.
#include <dlfcn.h>
#include <unistd.h>

#include <chrono>
#include <thread>

// Replaces the C library's function.
extern "C" __attribute__((visibility("default"))) int fdatasync(int file) {
  using Sync = int (*)(int);
  static const auto real = reinterpret_cast<Sync>(dlsym(RTLD_NEXT, "fdatasync"));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return real(file);
}
