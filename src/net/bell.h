// Wakes an event loop from any thread. No lock is held meanwhile: the loop, which runs at once, would wait for it.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace lapse::net {

// Threads: any.
class Bell {
 public:
  // Throws std::system_error when the process has no descriptor left.
  Bell() : descriptor_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  }
  ~Bell() { ::close(descriptor_); }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;

  // What the loop reads: eight bytes, once for all rings since it was read last.
  int descriptor() const { return descriptor_; }

  // Fails only where it has rung 2^64 times since.
  void Ring() const {
    const uint64_t once = 1;
    [[maybe_unused]] const ssize_t written = ::write(descriptor_, &once, sizeof once);
  }

 private:
  const int descriptor_;
};

}  // namespace lapse::net
